import { z } from 'zod';
import { at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { nothingSeen, paymentSeen } from './seen.ts';

const paymentRow = z.object({
  id: z.string(),
  organisation_id: z.string(),
  cause: z.enum(['checkout', 'top_up']),
  pack: z.string(),
  quantity: z.number(),
  status: z.enum(['open', 'paid', 'failed']),
  credits: z.number().nullable(),
  amount: z.number().nullable(),
  currency: z.string().nullable(),
  payment_method_id: z.string().nullable(),
  session_id: z.string().nullable(),
  intent_id: z.string().nullable(),
  seen: paymentSeen,
  version: z.number(),
  created_at: timestamp,
});

/** The purchase of a pack. */
export type Payment = z.infer<typeof paymentRow>;

const columns = columnsOf(paymentRow, 'p');

export const findPayment = (db: Queryable, id: string): Promise<Payment | null> =>
  db.maybeOne(sql.type(paymentRow)`select ${columns} from billing_payments p where id = ${id}`);

/** The purchase that an event names. */
export interface PaymentNames {
  readonly purchaseId: string | null;
  readonly sessionId: string | null;
  readonly intentId: string | null;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The purchase with one of these names; null if it was not made here. */
export function findPaymentBy(db: Queryable, names: PaymentNames): Promise<Payment | null> {
  const { purchaseId, sessionId, intentId } = names;
  // Whoever has an account at the provider may write anything into its metadata.
  const id = purchaseId !== null && uuid.test(purchaseId) ? purchaseId : null;
  return db.maybeOne(sql.type(paymentRow)`
    select ${columns} from billing_payments p
    where p.id = ${id}::uuid or p.session_id = ${sessionId}::text or p.intent_id = ${intentId}::text
    order by p.created_at limit 1`);
}

/** Stores the order that a person is about to pay on a page of the provider. */
export async function addCheckout(
  tx: Transaction,
  values: Pick<Payment, 'id' | 'organisation_id' | 'pack' | 'quantity'> & {
    readonly credits: number;
    readonly amount: number;
    readonly currency: string;
    readonly session_id: string;
  },
  now: Date,
): Promise<void> {
  await tx.exec(statement`
    insert into billing_payments (
      id, organisation_id, cause, pack, quantity, status, credits, amount, currency, session_id, seen, created_at
    ) values (
      ${values.id}, ${values.organisation_id}, 'checkout', ${values.pack}, ${values.quantity}, 'open', ${values.credits},
      ${values.amount}, ${values.currency}, ${values.session_id}, ${JSON.stringify(nothingSeen)}::jsonb, ${at(now)}
    )`);
}

/** The amount of an automatic purchase. */
export interface Terms {
  readonly credits: number;
  readonly amount: number;
  readonly currency: string;
  readonly paymentMethodId: string;
}

/** Fixes the terms of a purchase, once: a repeated charge has to be the same. @returns the payment with its terms */
export async function fixTerms(db: Queryable, id: string, terms: Terms): Promise<Payment | null> {
  await db.exec(statement`
    update billing_payments set credits = ${terms.credits}, amount = ${terms.amount}, currency = ${terms.currency},
      payment_method_id = ${terms.paymentMethodId}
    where id = ${id} and credits is null`);
  return findPayment(db, id);
}
