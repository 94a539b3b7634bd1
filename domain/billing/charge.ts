import { channel } from 'node:diagnostics_channel';
import { z } from 'zod';
import { at, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { newId } from '../kernel/ids.ts';
import { firstOfMonth } from '../kernel/period.ts';
import { lockBalance } from '../usage/credits.ts';
import { topUpIfBelow } from './top-up.ts';

/** A stage of an article in a run of the pipeline (docs/spec/rulings.md, 10). */
interface StageUnit {
  readonly runId: string;
  readonly articleId: string;
  readonly stage: string;
}

/** A unit of a scan, by its number (docs/spec/rulings.md, 19). */
interface ScanUnit {
  readonly scanId: string;
  readonly scanUnit: number;
}

/** A stage of nothing that is kept (docs/spec/rulings.md, 25). */
interface TryUnit {
  readonly tryId: string;
  readonly stage: string;
}

/** The unit that is paid for, by a Site. */
export type Unit = (StageUnit | ScanUnit | TryUnit) & { readonly siteId: string };

/** Receives each movement of credits of a Site after it is committed. */
export const CREDITS_CHANNEL = 'presswork.credits';
const moves = channel(CREDITS_CHANNEL);

export interface CreditsMoved {
  readonly movement: 'charged' | 'returned';
  readonly amount: number;
}

const tell = (tx: Transaction, moved: CreditsMoved): void => tx.afterCommit(async () => moves.publish(moved));

export type ChargeOutcome = 'charged' | 'insufficient_credits' | 'spend_cap_reached';

const charged = z.object({
  outcome: z.enum(['charged', 'insufficient_credits', 'spend_cap_reached']),
  paid: z.boolean(),
});

/**
 * Charges a unit to the organisation's balance and to the Site's month, or charges nothing and returns the reason; the
 * balance is checked first. A unit is charged only once.
 *
 * @param unit with its cost in credits, above zero
 */
export async function chargeCredits(
  tx: Transaction,
  unit: Unit & { readonly cost: number },
  now: Date,
): Promise<ChargeOutcome> {
  const { siteId, cost } = unit;
  // Two statements in one packet: after the first has locked the organisation, the second sees every earlier charge.
  const [, { outcome, paid }] = await Promise.all([
    lockBalance(tx, siteId),
    tx.one(sql.type(charged)`
      with state as (
        select s.organisation_id, s.id as site_id, exists (
            select from credit_ledger l where ${isOf(unit, 'l')}
          ) as already,
          o.credit_balance >= ${cost}::bigint as affordable,
          s.spend_cap is null or coalesce(m.credits_spent, 0) + ${cost}::bigint <= s.spend_cap as allowed
        from sites s
        join organisations o on o.id = s.organisation_id
        left join site_months m on m.site_id = s.id and m.month = ${firstOfMonth(now)}::date
        where s.id = ${siteId}
      ), paid as (
        update organisations o set credit_balance = o.credit_balance - ${cost}::bigint from state
        where o.id = state.organisation_id and not state.already and state.affordable and state.allowed
        returning state.organisation_id, state.site_id, o.credit_balance
      ), counted as (
        insert into site_months as m (site_id, month, credits_spent)
        select site_id, ${firstOfMonth(now)}::date, ${cost}::bigint from paid
        on conflict on constraint site_months_pkey do update set credits_spent = m.credits_spent + excluded.credits_spent
      ), entered as (
        insert into credit_ledger (
          id, organisation_id, site_id, kind, amount, balance, created_at, run_id, article_id, stage, scan_id, scan_unit,
          try_id
        )
        select ${newId()}, organisation_id, site_id, 'charge', -${cost}::bigint, credit_balance, ${at(now)}, ${idsOf(unit)}
        from paid
      )
      select case when already then 'charged' when not affordable then 'insufficient_credits'
        when not allowed then 'spend_cap_reached' else 'charged' end as outcome,
        exists (select from paid) as paid
      from state`),
  ]);
  if (paid) {
    tell(tx, { movement: 'charged', amount: cost });
    topUpIfBelow(tx, sql.fragment`(select organisation_id from sites where id = ${siteId})`, now);
  }
  return outcome;
}

/** The condition for the lines of a unit, in the table of that name. */
function isOf(unit: Unit, name: string): FragmentSqlToken {
  const line = sql.identifier([name]);
  if ('tryId' in unit) return sql.fragment`${line}.try_id = ${unit.tryId}`;
  return 'scanId' in unit
    ? sql.fragment`${line}.scan_id = ${unit.scanId} and ${line}.scan_unit = ${unit.scanUnit}`
    : sql.fragment`${line}.run_id = ${unit.runId} and ${line}.article_id = ${unit.articleId} and ${line}.stage = ${unit.stage}`;
}

/** Its columns of a line: run_id, article_id, stage, scan_id, scan_unit, try_id. */
function idsOf(unit: Unit): FragmentSqlToken {
  const {
    runId = null,
    articleId = null,
    stage = null,
    scanId = null,
    scanUnit = null,
    tryId = null,
  } = {
    ...unit,
  } as Partial<StageUnit & ScanUnit & TryUnit>;
  return sql.fragment`
    ${runId}::uuid, ${articleId}::uuid, ${stage}::text, ${scanId}::uuid, ${scanUnit}::int, ${tryId}::uuid`;
}

const taken = z.object({ amount: z.number(), month: z.string() });

/**
 * Refunds the charge of a unit to the balance and to the month in which it was counted. Does nothing if the unit was
 * never charged or has been refunded.
 *
 * @returns the refunded credits
 */
export async function refundCredits(tx: Transaction, unit: Unit, now: Date): Promise<number> {
  const { siteId } = unit;
  await lockBalance(tx, siteId);
  const row = await tx.maybeOne(sql.type(taken)`
    with charged as (
      select l.organisation_id, -l.amount as amount, to_char(l.created_at, 'YYYY-MM-01') as month
      from credit_ledger l
      where ${isOf(unit, 'l')} and l.kind = 'charge'
        and not exists (select from credit_ledger r where ${isOf(unit, 'r')} and r.kind = 'refund')
    ), returned as (
      update organisations o set credit_balance = o.credit_balance + c.amount from charged c
      where o.id = c.organisation_id returning o.id, o.credit_balance, c.amount
    ), counted as (
      update site_months m set credits_spent = m.credits_spent - c.amount from charged c
      where m.site_id = ${siteId} and m.month = c.month::date
    ), entered as (
      insert into credit_ledger (
        id, organisation_id, site_id, kind, amount, balance, created_at, run_id, article_id, stage, scan_id, scan_unit,
        try_id
      )
      select ${newId()}, r.id, ${siteId}, 'refund', r.amount, r.credit_balance, ${at(now)}, ${idsOf(unit)}
      from returned r
    )
    select amount, month from charged`);
  if (row === null) return 0;
  tell(tx, { movement: 'returned', amount: row.amount });
  return row.amount;
}
