import { z } from 'zod';
import { array, at, sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { ReadPayment } from './provider.ts';
import { creditsDue } from './seen.ts';
import { moneyKinds } from '../usage/credits.ts';

/** How a payment differs from the ledger. */
export const differenceKinds = [
  'not_in_ledger',
  'wrong_in_ledger',
  'unknown_purchase',
  'not_at_provider',
] as const;

export interface Difference {
  readonly kind: (typeof differenceKinds)[number];
  readonly paymentId: string;
  /** null for a purchase that is not known here. */
  readonly organisationId: string | null;
  readonly expected: number;
  readonly found: number;
}

const bookedRow = z.object({
  id: z.string(),
  organisation_id: z.string(),
  credits: z.number().nullable(),
  intent_id: z.string().nullable(),
  purchase: z.number(),
  refund_out: z.number(),
  dispute: z.number(),
});

/** Compares payments for purchases, as the provider has them, with their lines of the ledger. */
export async function compareWithLedger(
  db: Queryable,
  payments: readonly ReadPayment[],
): Promise<readonly Difference[]> {
  const ours = payments.filter(({ purchaseId }) => purchaseId !== null);
  if (ours.length === 0) return [];
  const names = ours.map(({ purchaseId }) => purchaseId);
  const booked = await db.any(sql.type(bookedRow)`
    select p.id, p.organisation_id, p.credits, p.intent_id,
      coalesce(sum(l.amount) filter (where l.kind = 'purchase'), 0)::bigint as purchase,
      coalesce(sum(l.amount) filter (where l.kind = 'refund_out'), 0)::bigint as refund_out,
      coalesce(sum(l.amount) filter (where l.kind = 'dispute'), 0)::bigint as dispute
    from billing_payments p left join credit_ledger l on l.payment_id in (p.intent_id, p.session_id)
    where p.id::text = any(${array(names, 'text')}) group by p.id`);
  const left = new Set(await listLeft(db, ours));
  return ours.flatMap(({ intentId, purchaseId, seen }): Difference[] => {
    const row = booked.find(({ id }) => id === purchaseId);
    const total = (sums: Readonly<Record<(typeof moneyKinds)[number], number>>): number =>
      moneyKinds.reduce((sum, kind) => sum + sums[kind], 0);
    if (row === undefined)
      return seen.paid && !left.has(intentId)
        ? [{ kind: 'unknown_purchase', paymentId: intentId, organisationId: null, expected: 0, found: 0 }]
        : [];
    const due = creditsDue(row.credits ?? 0, seen);
    if (moneyKinds.every((kind) => due[kind] === row[kind])) return [];
    return [
      {
        kind: row.purchase === 0 ? 'not_in_ledger' : 'wrong_in_ledger',
        paymentId: intentId,
        organisationId: row.organisation_id,
        expected: total(due),
        found: total(row),
      },
    ];
  });
}

const leftRow = z.object({ payment_id: z.string() });

/** The payments that are in the ledger: without their purchase, the organisation was deleted, and its ledger is kept. */
const listLeft = async (db: Queryable, payments: readonly ReadPayment[]): Promise<readonly string[]> =>
  (
    await db.any(sql.type(leftRow)`
      select payment_id from credit_ledger
      where kind = 'purchase' and payment_id = any(${array(
        payments.map(({ intentId }) => intentId),
        'text',
      )})`)
  ).map(({ payment_id: id }) => id);

const lineRow = z.object({ payment_id: z.string(), organisation_id: z.string(), amount: z.number() });

/** The purchases in the ledger of a time. @param after the payment id of the last one of the page before */
export const listPurchases = (
  db: Queryable,
  { from, until }: { readonly from: Date; readonly until: Date },
  after: string,
  count: number,
): Promise<readonly z.infer<typeof lineRow>[]> =>
  db.any(sql.type(lineRow)`
    select l.payment_id, l.organisation_id, l.amount from credit_ledger l
    join billing_payments p on l.payment_id = p.intent_id
    where l.kind = 'purchase' and p.created_at >= ${at(from)} and p.created_at < ${at(until)} and l.payment_id > ${after}
    order by l.payment_id limit ${count}`);
