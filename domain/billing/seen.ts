import { z } from 'zod';
import type { MoneyKind } from '../usage/credits.ts';

const dispute = z.object({ id: z.string(), amount: z.number(), status: z.string() });

type Dispute = z.infer<typeof dispute>;

/**
 * The state of a payment at the provider. Amounts are in the smallest unit of its currency. A member that is null or
 * missing was not told.
 */
export const paymentSeen = z.object({
  paid: z.boolean(),
  /** Why it will never be paid. */
  failure: z.string().nullable(),
  amount: z.number().nullable(),
  refunded: z.number().nullable(),
  disputes: z.array(dispute).nullable(),
});

export type PaymentSeen = z.infer<typeof paymentSeen>;

export const nothingSeen: PaymentSeen = {
  paid: false,
  failure: null,
  amount: null,
  refunded: null,
  disputes: null,
};

/** A dispute holds the money from its opening until it is won; an enquiry before a dispute holds nothing. */
const holding: ReadonlySet<string> = new Set([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);
const ended: ReadonlySet<string> = new Set(['won', 'lost', 'prevented', 'warning_closed']);

/**
 * Adds the facts of an event to the known ones. The order of events does not matter: payments are paid once, refunds grow,
 * and a dispute that has ended does not open again.
 */
export function withTold(known: PaymentSeen, told: PaymentSeen): PaymentSeen {
  return {
    paid: known.paid || told.paid,
    failure: told.failure ?? known.failure,
    amount: told.amount ?? known.amount,
    refunded: greater(known.refunded, told.refunded),
    disputes: told.disputes === null ? known.disputes : mergeDisputes(known.disputes ?? [], told.disputes),
  };
}

const greater = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? (left ?? right) : Math.max(left, right);

function mergeDisputes(known: readonly Dispute[], told: readonly Dispute[]): Dispute[] {
  const byId = new Map(known.map((each) => [each.id, each]));
  for (const each of told) {
    const before = byId.get(each.id);
    if (before === undefined || !ended.has(before.status)) byId.set(each.id, each);
  }
  return sorted([...byId.values()]);
}

/**
 * What the provider shows now replaces what was known; of what it does not show, the known is kept. A dispute is never
 * gone: one that an event told of, and the list does not have yet, is kept too.
 */
export const asRead = (known: PaymentSeen, read: PaymentSeen): PaymentSeen => ({
  paid: read.paid,
  failure: read.failure,
  amount: read.amount ?? known.amount,
  refunded: read.refunded ?? known.refunded,
  disputes:
    read.disputes === null ? known.disputes : sorted([...missing(known, read.disputes), ...read.disputes]),
});

const missing = (known: PaymentSeen, read: readonly Dispute[]): readonly Dispute[] =>
  (known.disputes ?? []).filter(({ id }) => !read.some((each) => each.id === id));

const sorted = (disputes: readonly Dispute[]): Dispute[] =>
  disputes.toSorted((left, right) => left.id.localeCompare(right.id));

/**
 * The sum that the ledger should have for a payment, by kind. Refunds take credits in proportion, and a dispute what
 * they left of its part; together they never take more than was granted.
 */
export function creditsDue(credits: number, seen: PaymentSeen): Readonly<Record<MoneyKind, number>> {
  if (!seen.paid) return { purchase: 0, refund_out: 0, dispute: 0 };
  const part = (amount: number): number =>
    seen.amount === null || seen.amount <= 0 || amount >= seen.amount
      ? credits
      : Number((BigInt(credits) * BigInt(amount)) / BigInt(seen.amount));
  const refunded = seen.refunded === null || seen.refunded <= 0 ? 0 : part(seen.refunded);
  const held = (seen.disputes ?? [])
    .filter(({ status }) => holding.has(status))
    .reduce((sum, { amount }) => sum + amount, 0);
  const disputed = held <= 0 ? 0 : Math.min(part(held), credits - refunded);
  return { purchase: credits, refund_out: 0 - refunded, dispute: 0 - disputed };
}
