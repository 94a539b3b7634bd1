import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Actor } from '../audit/record.ts';
import { newId } from '../kernel/ids.ts';
import type { Payment } from './payment.ts';
import { tellOfProblem } from './tell.ts';
import { creditsDue } from './seen.ts';
import { moneyKinds } from '../usage/credits.ts';
import type { PaymentSeen } from './seen.ts';
import type { MoneyKind } from '../usage/credits.ts';

/** Who makes changes that follow from money. */
export const billing: Actor = { kind: 'system', name: 'billing' };

const sumRow = z.object({ kind: z.enum(moneyKinds), amount: z.number(), payment_id: z.string() });
const balanceRow = z.object({ balance: z.number() });

const actions: Readonly<Record<MoneyKind, AuditAction>> = {
  purchase: 'billing.purchase',
  refund_out: 'billing.refund',
  dispute: 'billing.dispute',
};

/** A movement of credits that followed from a payment. */
export interface Movement {
  readonly kind: MoneyKind;
  readonly amount: number;
}

/**
 * Brings a purchase and its lines of the ledger to the state seen at the provider. The result depends on that state
 * alone, and not on the order in which it was seen.
 *
 * @param payment as it was before the provider was asked
 * @returns the movements; null if the purchase has changed since: the view may be old
 */
export async function settle(
  tx: Transaction,
  payment: Payment,
  intentId: string | null,
  seen: PaymentSeen,
  now: Date,
): Promise<readonly Movement[] | null> {
  const status = seen.paid
    ? 'paid'
    : payment.status === 'open' && seen.failure !== null
      ? 'failed'
      : payment.status;
  // Events that come together disturb each other no more than they have to.
  const known = status === payment.status && (intentId === null || payment.intent_id === intentId);
  if (known && isDeepStrictEqual(seen, payment.seen)) return [];
  // In the order of charges, which lock the balance before they order a pack.
  await tx.exec(statement`select from organisations where id = ${payment.organisation_id} for no key update`);
  const updated = await tx.exec(statement`
    update billing_payments set seen = ${JSON.stringify(seen)}::jsonb, status = ${status},
      failure = case when ${seen.paid} then null else coalesce(${seen.failure}::text, failure) end, intent_id = coalesce(intent_id, ${intentId}::text),
      ended_at = case when ${status} = 'open' then null else coalesce(ended_at, ${at(now)}::timestamptz) end,
      version = version + 1
    where id = ${payment.id} and version = ${payment.version}`);
  if (updated === 0) return null;
  if (status === 'failed' && payment.status === 'open') recordFailure(tx, payment, seen.failure, now);
  return payment.credits === null ? [] : enterDue(tx, payment, payment.credits, intentId, seen, now);
}

async function enterDue(
  tx: Transaction,
  payment: Payment,
  credits: number,
  intentId: string | null,
  seen: PaymentSeen,
  now: Date,
): Promise<Movement[]> {
  const names = [payment.intent_id ?? intentId, payment.session_id].filter((name) => name !== null);
  const sums = await tx.any(sql.type(sumRow)`
    select kind, sum(amount)::bigint as amount, min(payment_id) as payment_id from credit_ledger
    where payment_id = any(${array(names, 'text')}) group by kind`);
  const paymentId = sums[0]?.payment_id ?? names[0];
  if (paymentId === undefined) return [];
  const due = creditsDue(credits, seen);
  const movements: Movement[] = [];
  for (const kind of moneyKinds) {
    const amount = due[kind] - (sums.find((sum) => sum.kind === kind)?.amount ?? 0);
    // A payment is never unpaid again: refunds and disputes take its credits back.
    if (amount === 0 || (kind === 'purchase' && amount < 0)) continue;
    const balance = await enter(tx, payment.organisation_id, { kind, amount }, paymentId, now);
    if (balance === null) continue;
    movements.push({ kind, amount });
    if (kind === 'dispute' && amount < 0) tellOfProblem(tx, payment.organisation_id, 'dispute', now);
    const details = { credits: amount, balance, pack: payment.pack, payment_id: paymentId };
    recordOrganisationChange(
      { tx, actor: billing, now },
      actions[kind],
      payment.organisation_id,
      targetOf(payment),
      details,
    );
  }
  return movements;
}

/** Changes the balance and writes the line of the ledger. @returns the balance; null without the organisation */
async function enter(
  tx: Transaction,
  organisationId: string,
  { kind, amount }: Movement,
  paymentId: string,
  now: Date,
): Promise<number | null> {
  const row = await tx.maybeOne(sql.type(balanceRow)`
    with moved as (
      update organisations set credit_balance = credit_balance + ${amount}::bigint where id = ${organisationId}
      returning id, credit_balance
    )
    insert into credit_ledger (id, organisation_id, kind, amount, balance, payment_id, created_at)
    select ${newId()}, m.id, ${kind}, ${amount}::bigint, m.credit_balance, ${paymentId}, ${at(now)} from moved m
    returning balance`);
  return row?.balance ?? null;
}

function recordFailure(tx: Transaction, payment: Payment, reason: string | null, now: Date): void {
  // Nobody asked for it, and nobody sees a page of the provider: the log says why no credits came.
  if (payment.cause !== 'top_up') return;
  const details = { pack: payment.pack, reason };
  tellOfProblem(tx, payment.organisation_id, 'top_up_failed', now);
  recordOrganisationChange(
    { tx, actor: billing, now },
    'billing.top_up_failed',
    payment.organisation_id,
    targetOf(payment),
    details,
  );
}

const targetOf = ({ organisation_id: id }: Payment) => ({ type: 'organisation', id });
