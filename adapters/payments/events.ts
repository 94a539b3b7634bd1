import Stripe from 'stripe';
import { z } from 'zod';
import type { EventFacts, PaymentFacts, SignedEvent, SubscriptionFacts } from '../../domain/billing/event.ts';
import { nothingSeen } from '../../domain/billing/seen.ts';
import { PURCHASE } from './payments.ts';

/** How far the time of a signature may be from now (docs/spec/rulings.md, 21). */
const TOLERANCE_S = 300;

/** An id, or the object itself. */
const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((id) => id ?? null);
const number = z.number().nullish();
const text = z.string().nullish();
const metadata = z.record(z.string(), z.string()).nullish();

/** The members that are read, of all kinds of objects and in the form of old and new versions of Stripe's API. */
const stripeObject = z.object({
  id: text,
  object: text,
  status: text,
  metadata,
  mode: text,
  payment_status: text,
  payment_intent: reference,
  subscription: reference,
  customer: reference,
  amount: number,
  amount_total: number,
  amount_received: number,
  amount_refunded: number,
  billing_reason: text,
  cancel_at_period_end: z.boolean().nullish(),
  cancel_at: number,
  cancellation_reason: text,
  current_period_end: number,
  items: z
    .object({
      data: z.array(z.object({ price: reference, current_period_end: number })),
    })
    .nullish(),
  parent: z.object({ subscription_details: z.object({ subscription: reference }).nullish() }).nullish(),
});

type StripeObject = z.infer<typeof stripeObject>;

const envelope = z.object({
  id: z.string().regex(/^[\w-]{1,255}$/),
  type: z.string().min(1).max(200),
  created: z.number().int().min(0).max(1e11),
  data: z.object({ object: z.looseObject({ object: text }) }),
});

/**
 * Reads an event, if Stripe signed it within 300 s of now.
 *
 * @param body as it was sent
 * @returns null for a bad signature, and for anything but an event
 */
export function readSignedEvent(
  body: Buffer,
  signature: string | undefined,
  secret: string,
  now: Date,
): SignedEvent | null {
  let sent: unknown;
  try {
    sent = Stripe.webhooks.constructEvent(
      body,
      signature ?? '',
      secret,
      TOLERANCE_S,
      undefined,
      now.getTime(),
    );
  } catch {
    return null;
  }
  // The package checks the age alone: a signature for later could be kept and sent then.
  if (signedAt(signature) - Math.floor(now.getTime() / 1_000) > TOLERANCE_S) return null;
  const event = envelope.safeParse(sent);
  if (!event.success) return null;
  const { id, type, created, data } = event.data;
  const told = { id, type, createdAt: new Date(created * 1_000) };
  if (!kinds.has(data.object.object ?? '')) return { ...told, facts: null };
  const object = stripeObject.safeParse(data.object);
  return object.success ? { ...told, facts: factsOf(type, object.data) } : null;
}

/** When a signature says that it was made, in seconds; read as Stripe's package reads it: of several times, the last. */
const signedAt = (signature = ''): number =>
  Number.parseInt(
    signature
      .split(',')
      .findLast((part) => part.startsWith('t='))
      ?.slice(2) ?? '',
    10,
  );

const kinds: ReadonlySet<string> = new Set([
  'checkout.session',
  'payment_intent',
  'charge',
  'refund',
  'dispute',
  'subscription',
  'invoice',
]);

function factsOf(type: string, object: StripeObject): EventFacts {
  switch (object.object) {
    case 'checkout.session':
      return object.mode === 'subscription' ? subscriptionOfSession(object) : paymentOfSession(type, object);
    case 'payment_intent':
      return payment(object, object.id ?? null, {
        paid: object.status === 'succeeded',
        failure: object.status === 'canceled' ? (object.cancellation_reason ?? 'canceled') : null,
        amount: object.amount_received || (object.amount ?? null),
      });
    case 'charge':
      return payment(object, object.payment_intent, {
        paid: object.status === 'succeeded',
        amount: object.amount ?? null,
        refunded: object.amount_refunded ?? null,
      });
    case 'refund':
      return payment(object, object.payment_intent, {});
    case 'dispute':
      return payment(object, object.payment_intent, {
        disputes: [{ id: object.id ?? '', amount: object.amount ?? 0, status: object.status ?? '' }],
      });
    case 'subscription':
      return subscription(object, object.id ?? null, {
        status: type === 'customer.subscription.deleted' ? 'canceled' : (object.status ?? null),
        priceIds: object.items?.data.flatMap(({ price }) => price ?? []) ?? null,
        currentPeriodEnd: timeOf(object.items?.data[0]?.current_period_end ?? object.current_period_end),
        cancelAtPeriodEnd: (object.cancel_at_period_end ?? false) || typeof object.cancel_at === 'number',
      });
    case 'invoice':
      return subscription(object, object.parent?.subscription_details?.subscription ?? object.subscription, {
        status: statusByInvoice(type, object),
      });
    default:
      return null;
  }
}

const timeOf = (seconds: number | null | undefined): string | null =>
  typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString() : null;

function payment(
  { metadata: named }: StripeObject,
  intentId: string | null,
  seen: Partial<PaymentFacts['seen']>,
): EventFacts {
  const purchaseId = named?.[PURCHASE] ?? null;
  if (intentId === null && purchaseId === null) return null;
  return { about: 'payment', purchaseId, sessionId: null, intentId, seen: { ...nothingSeen, ...seen } };
}

function paymentOfSession(type: string, session: StripeObject): EventFacts {
  const failures: Readonly<Record<string, string>> = {
    'checkout.session.expired': 'expired',
    'checkout.session.async_payment_failed': 'async_payment_failed',
  };
  return {
    about: 'payment',
    purchaseId: session.metadata?.[PURCHASE] ?? null,
    sessionId: session.id ?? null,
    intentId: session.payment_intent,
    seen: {
      ...nothingSeen,
      paid: session.payment_status === 'paid' || session.payment_status === 'no_payment_required',
      failure: failures[type] ?? null,
      amount: session.amount_total ?? null,
    },
  };
}

function subscription(
  { customer }: StripeObject,
  id: string | null,
  told: Partial<SubscriptionFacts>,
): EventFacts {
  if (id === null) return null;
  return {
    about: 'subscription',
    id,
    customerId: customer,
    priceIds: null,
    status: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: null,
    ...told,
  };
}

const subscriptionOfSession = (session: StripeObject): EventFacts =>
  subscription(session, session.subscription, {});

/** The subscription on an invoice, which Stripe changes together with it. */
function statusByInvoice(type: string, { billing_reason: reason }: StripeObject): string | null {
  if (type === 'invoice.paid' || type === 'invoice.payment_succeeded') return 'active';
  return type === 'invoice.payment_failed' && reason === 'subscription_cycle' ? 'past_due' : null;
}
