import { z } from 'zod';
import { at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { updateOrganisation } from '../organisations/organisations.ts';
import type { Plan } from '../kernel/plans.ts';
import { tellOfProblem } from './tell.ts';
import { rescue, signalWorkflow } from '../kernel/workflow-messages.ts';
import { billing } from './settle.ts';

const subscriptionRow = z.object({
  id: z.string(),
  organisation_id: z.string(),
  plan: z.enum(['free', 'pro']),
  status: z.string(),
  current_period_end: timestamp,
  cancel_at_period_end: z.boolean(),
  entitled: z.boolean(),
  past_due_since: timestamp.nullable(),
  told_at: timestamp,
  version: z.number(),
});

export type Subscription = z.infer<typeof subscriptionRow>;

const columns = columnsOf(subscriptionRow, 's');

/** A failed renewal keeps the plan this long (docs/spec/rulings.md, 21). */
export const GRACE_MS = 7 * 24 * 60 * 60_000;

const paid: ReadonlySet<string> = new Set(['active', 'trialing']);
/** A renewal that failed; before the first payment it is `incomplete`. */
const overdue: ReadonlySet<string> = new Set(['past_due', 'unpaid']);
const endedStatuses = ['canceled', 'incomplete_expired'] as const;

/** An end is final: whoever subscribes again gets another subscription. */
export const hasEnded = ({ status }: Pick<Subscription, 'status'>): boolean =>
  (endedStatuses as readonly string[]).includes(status);

export const findSubscription = (db: Queryable, id: string): Promise<Subscription | null> =>
  db.maybeOne(sql.type(subscriptionRow)`select ${columns} from billing_subscriptions s where id = ${id}`);

/** The subscription that has not ended; of several the one that gives the plan. */
export const findCurrentSubscription = (
  db: Queryable,
  organisationId: string,
): Promise<Subscription | null> =>
  db.maybeOne(sql.type(subscriptionRow)`
    select ${columns} from billing_subscriptions s
    where organisation_id = ${organisationId} and status not in (${sql.join([...endedStatuses], sql.fragment`, `)})
    order by entitled desc, created_at desc limit 1`);

const idRow = z.object({ id: z.string() });

/** The subscriptions that still cost money. */
export const listLiveSubscriptions = async (
  db: Queryable,
  organisationId: string,
): Promise<readonly string[]> =>
  (
    await db.any(sql.type(idRow)`
      select id from billing_subscriptions
      where organisation_id = ${organisationId} and status not in (${sql.join([...endedStatuses], sql.fragment`, `)})
      order by id`)
  ).map(({ id }) => id);

/** The provider's state of a subscription. */
export interface SubscriptionSeen {
  readonly id: string;
  readonly plan: Plan;
  readonly status: string;
  readonly currentPeriodEnd: Date;
  readonly cancelAtPeriodEnd: boolean;
  /** Of the event that led to it. */
  readonly toldAt: Date;
}

/**
 * Stores a subscription, and gives or takes its plan in the same transaction.
 *
 * @param before as it was stored before the provider was asked; null if it was not
 * @returns false if it has changed since: the view may be old
 */
export async function applySubscription(
  tx: Transaction,
  organisationId: string,
  before: Subscription | null,
  seen: SubscriptionSeen,
  now: Date,
): Promise<boolean> {
  const pastDueSince = overdue.has(seen.status) ? (before?.past_due_since ?? now) : null;
  const inGrace = pastDueSince !== null && pastDueSince.getTime() + GRACE_MS > now.getTime();
  const entitled = paid.has(seen.status) || inGrace;
  const next = { ...seen, entitled, pastDueSince };
  if (before !== null && isSame(before, next)) return true;
  if ((await write(tx, organisationId, before, next, now)) === 0) return false;
  if (pastDueSince !== null && !before?.past_due_since) tellOfProblem(tx, organisationId, 'past_due', now);
  if (inGrace) signalWorkflow(tx, 'subscription-grace', { subscriptionId: seen.id, signal: 'begun' }, now);
  else if (before?.past_due_since)
    signalWorkflow(tx, 'subscription-grace', { subscriptionId: seen.id, signal: 'changed' }, now);
  const gives = (each: { entitled: boolean; plan: Plan } | null): Plan | null =>
    each?.entitled ? each.plan : null;
  if (gives(before) !== gives({ entitled, plan: seen.plan })) await givePlan(tx, organisationId, now);
  return true;
}

type Next = SubscriptionSeen & { readonly entitled: boolean; readonly pastDueSince: Date | null };

/** Then nothing is written, so that events that come together disturb each other no more than they have to. */
const isSame = (before: Subscription, next: Next): boolean =>
  before.plan === next.plan &&
  before.status === next.status &&
  before.current_period_end.getTime() === next.currentPeriodEnd.getTime() &&
  before.cancel_at_period_end === next.cancelAtPeriodEnd &&
  before.entitled === next.entitled &&
  before.past_due_since?.getTime() === next.pastDueSince?.getTime() &&
  before.told_at >= next.toldAt;

/** @returns how many rows were written: none if the row has changed since it was read */
function write(
  tx: Transaction,
  organisationId: string,
  before: Subscription | null,
  next: Next,
  now: Date,
): Promise<number> {
  const pastDueSince = next.pastDueSince && at(next.pastDueSince);
  return tx.exec(
    before === null
      ? statement`
        insert into billing_subscriptions (
          id, organisation_id, plan, status, current_period_end, cancel_at_period_end, entitled, past_due_since, told_at,
          created_at
        ) values (
          ${next.id}, ${organisationId}, ${next.plan}, ${next.status}, ${at(next.currentPeriodEnd)},
          ${next.cancelAtPeriodEnd}, ${next.entitled}, ${pastDueSince}, ${at(next.toldAt)}, ${at(now)}
        ) on conflict on constraint billing_subscriptions_pkey do nothing`
      : statement`
        update billing_subscriptions set plan = ${next.plan}, status = ${next.status},
          current_period_end = ${at(next.currentPeriodEnd)}, cancel_at_period_end = ${next.cancelAtPeriodEnd},
          entitled = ${next.entitled}, past_due_since = ${pastDueSince},
          told_at = greatest(told_at, ${at(next.toldAt)}), version = version + 1
        where id = ${next.id} and version = ${before.version}`,
  );
}

const planRow = z.object({ plan: z.enum(['free', 'pro']) });

/** Gives the organisation the plan of its subscriptions, and `free` without one. */
async function givePlan(tx: Transaction, organisationId: string, now: Date): Promise<void> {
  // Locked first: two subscriptions that change at the same time see each other.
  const there = await tx.exec(
    statement`select from organisations where id = ${organisationId} for no key update`,
  );
  if (there === 0) return;
  const row = await tx.maybeOne(sql.type(planRow)`
    select plan from billing_subscriptions where organisation_id = ${organisationId} and entitled
    order by created_at desc limit 1`);
  await updateOrganisation({ tx, actor: billing, now }, organisationId, { plan: row?.plan ?? 'free' });
}

/** When the grace of a failed renewal ends; null if there is none any more. */
export async function findGraceEnd(db: Queryable, subscriptionId: string): Promise<Date | null> {
  const found = await findSubscription(db, subscriptionId);
  if (found === null || !found.entitled || found.past_due_since === null) return null;
  return new Date(found.past_due_since.getTime() + GRACE_MS);
}

const organisationRow = z.object({ organisation_id: z.string() });

/** Takes the plan back if the grace of its failed renewal is over. @returns whether there is no grace any more */
export async function endGrace(tx: Transaction, subscriptionId: string, now: Date): Promise<boolean> {
  const row = await tx.maybeOne(sql.type(organisationRow)`
    update billing_subscriptions set entitled = false, version = version + 1
    where id = ${subscriptionId} and entitled and past_due_since <= ${at(new Date(now.getTime() - GRACE_MS))}
    returning organisation_id`);
  if (row !== null) {
    await givePlan(tx, row.organisation_id, now);
    tellOfProblem(tx, row.organisation_id, 'ended', now);
  }
  return row !== null || (await findGraceEnd(tx, subscriptionId)) === null;
}

/** Starts the workflows of graces that are over. */
export function rescueGraces(tx: Transaction, now: Date, lateMs: number): Promise<number> {
  const lost = sql.fragment`
    select id from billing_subscriptions
    where entitled and past_due_since < ${at(new Date(now.getTime() - GRACE_MS - lateMs))}`;
  return rescue(tx, 'subscription-grace', 'begun', lost, now);
}
