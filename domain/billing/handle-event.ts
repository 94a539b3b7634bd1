import type { Database } from '../../db/database.ts';
import { findOrganisationOf } from './account.ts';
import type { Catalogue } from './catalogue.ts';
import { listTold } from './event.ts';
import type { StoredEvent, SubscriptionFacts } from './event.ts';
import { findPaymentBy } from './payment.ts';
import type { PaymentNames } from './payment.ts';
import type { PaymentProvider } from './provider.ts';
import { asRead, withTold } from './seen.ts';
import type { PaymentSeen } from './seen.ts';
import { settle } from './settle.ts';
import type { Movement } from './settle.ts';
import { applySubscription, findSubscription, hasEnded } from './subscription.ts';
import type { Subscription, SubscriptionSeen } from './subscription.ts';

/** The dependencies of handling events. */
export interface EventPorts {
  readonly db: Database;
  readonly provider: PaymentProvider;
  readonly catalogue: Catalogue;
}

/** How often it starts again because another event changed the same row meanwhile. */
const TRIES = 50;

async function untilUndisturbed<T>(work: () => Promise<T | 'disturbed'>): Promise<T> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const result = await work();
    if (result !== 'disturbed') return result;
  }
  throw new Error('Other events changed the same row all the time');
}

/**
 * Brings a purchase to the provider's state of its payment, or, if it shows none, to that of the event.
 *
 * @returns the movements of credits; null if the payment is for no purchase of this installation
 */
export async function handlePayment(
  ports: EventPorts,
  facts: PaymentNames & { readonly seen: PaymentSeen },
  now: Date,
): Promise<readonly Movement[] | null> {
  const names = await namesOf(ports, facts);
  return names && untilUndisturbed(() => bringUp(ports, names, facts.seen, now));
}

/** How the purchase is found: the names in the event, or those that the provider knows; null if it is not ours. */
async function namesOf({ db, provider }: EventPorts, names: PaymentNames): Promise<PaymentNames | null> {
  if ((await findPaymentBy(db, names)) !== null) return names;
  const read = names.intentId === null ? null : await provider.readPayment(names.intentId);
  const known = { ...names, purchaseId: read?.purchaseId ?? null };
  return (await findPaymentBy(db, known)) === null ? null : known;
}

async function bringUp(
  { db, provider }: EventPorts,
  names: PaymentNames,
  told: PaymentSeen,
  now: Date,
): Promise<readonly Movement[] | 'disturbed'> {
  // Read before the provider is asked: a change in between shows that its answer may be old.
  const payment = await findPaymentBy(db, names);
  if (payment === null) return [];
  const intentId = names.intentId ?? payment.intent_id;
  const read = intentId === null ? null : await provider.readPayment(intentId);
  const known = withTold(payment.seen, told);
  // An event may have come before it was known that the payment is for this purchase.
  const before = read === null && intentId !== null ? await listTold(db, intentId) : [];
  const seen = read === null ? before.reduce(withTold, known) : asRead(known, read.seen);
  return (await db.transaction((tx) => settle(tx, payment, intentId, seen, now))) ?? 'disturbed';
}

/**
 * Brings a subscription and the plan to the provider's state, or, if it shows none, to that of the event.
 *
 * @returns whether it is a subscription of this installation
 */
export function handleSubscription(
  { db, provider, catalogue }: EventPorts,
  event: Pick<StoredEvent, 'type' | 'created_at'>,
  facts: SubscriptionFacts,
  now: Date,
): Promise<boolean> {
  return untilUndisturbed(async () => {
    const before = await findSubscription(db, facts.id);
    const read = await provider.readSubscription(facts.id);
    const customerId = read?.customerId ?? facts.customerId;
    const organisationId =
      before?.organisation_id ?? (customerId === null ? null : await findOrganisationOf(db, customerId));
    if (organisationId === null) return false;
    const seen =
      read === null
        ? asTold(before, facts, catalogue, event)
        : withPlan(read.id, catalogue.planOf(read.priceIds) ?? before?.plan ?? null, read, event.created_at);
    if (seen === null) return before !== null;
    const applied = await db.transaction((tx) => applySubscription(tx, organisationId, before, seen, now));
    return applied || 'disturbed';
  });
}

const withPlan = (
  id: string,
  plan: SubscriptionSeen['plan'] | null,
  values: Pick<SubscriptionSeen, 'status' | 'currentPeriodEnd' | 'cancelAtPeriodEnd'>,
  toldAt: Date,
): SubscriptionSeen | null =>
  plan && {
    id,
    plan,
    status: values.status,
    currentPeriodEnd: values.currentPeriodEnd,
    cancelAtPeriodEnd: values.cancelAtPeriodEnd,
    toldAt,
  };

/** The newest event counts; members that it lacks stay. null if it tells nothing new. */
function asTold(
  before: Subscription | null,
  facts: SubscriptionFacts,
  catalogue: Catalogue,
  { type, created_at: toldAt }: Pick<StoredEvent, 'type' | 'created_at'>,
): SubscriptionSeen | null {
  // Times of events are whole seconds: within one, the first event is older than all others, and an end is the last.
  const first = type === 'customer.subscription.created';
  if (before !== null && (first || hasEnded(before) || toldAt < before.told_at)) return null;
  const status = facts.status ?? before?.status;
  const end = facts.currentPeriodEnd === null ? before?.current_period_end : new Date(facts.currentPeriodEnd);
  if (status === undefined || end === undefined) return null;
  return withPlan(
    facts.id,
    catalogue.planOf(facts.priceIds ?? []) ?? before?.plan ?? null,
    {
      status,
      currentPeriodEnd: end,
      cancelAtPeriodEnd: facts.cancelAtPeriodEnd ?? before?.cancel_at_period_end ?? false,
    },
    toldAt,
  );
}
