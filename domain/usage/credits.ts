import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { newestFirst, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { firstOfMonth } from '../kernel/period.ts';

const balanceRow = z.object({ balance: z.number() });

/** The kinds of ledger lines that come from payments. */
export const moneyKinds = ['purchase', 'refund_out', 'dispute'] as const;
export type MoneyKind = (typeof moneyKinds)[number];

/**
 * The kinds of ledger lines: credits granted, charged for a unit, refunded for a unit without a result; credits that
 * were bought, and those that a refund or a dispute of their payment took.
 */
export const ledgerKinds = ['grant', 'charge', 'refund', ...moneyKinds] as const;

const ledgerRow = z.object({
  id: z.string(),
  kind: z.enum(ledgerKinds),
  amount: z.number(),
  balance: z.number(),
  run_id: z.string().nullable(),
  article_id: z.string().nullable(),
  stage: z.string().nullable(),
  scan_id: z.string().nullable(),
  payment_id: z.string().nullable(),
  created_at: timestamp,
});

export type LedgerEntry = z.infer<typeof ledgerRow>;

const columns = columnsOf(ledgerRow, 'e');

/**
 * Adds credits to the balance that all Sites of the organisation share.
 *
 * @returns the new balance
 * @throws ServiceError NOT_FOUND
 */
export async function grantCredits(act: Act, organisationId: string, amount: number): Promise<number> {
  const balance = await addCredits(act.tx, organisationId, amount, act.now);
  const target = { type: 'organisation', id: organisationId };
  recordOrganisationChange(act, 'credits.grant', organisationId, target, { amount, balance });
  return balance;
}

/**
 * Changes the balance and writes the line of the ledger.
 *
 * @returns the new balance
 * @throws ServiceError NOT_FOUND
 */
export async function addCredits(
  tx: Transaction,
  organisationId: string,
  amount: number,
  now: Date,
): Promise<number> {
  const row = await tx.maybeOne(sql.type(balanceRow)`
    with granted as (
      update organisations set credit_balance = credit_balance + ${amount}::bigint where id = ${organisationId}
      returning id, credit_balance
    )
    insert into credit_ledger (id, organisation_id, kind, amount, balance, created_at)
    select ${newId()}, g.id, 'grant', ${amount}::bigint, g.credit_balance, ${at(now)} from granted g returning balance`);
  if (row === null) throw notFound('organisation');
  return row.balance;
}

/** Locks the balance until the transaction ends, so that charges and refunds happen one after another. */
export const lockBalance = (tx: Transaction, siteId: string): Promise<number> =>
  tx.exec(statement`
    select from organisations where id = (select organisation_id from sites where id = ${siteId}) for no key update`);

const left = z.object({ balance: z.number(), under_cap: z.number().nullable() });

/** The credits that a Site can spend: its organisation's balance, and the rest of its monthly cap, if it has one. */
export async function creditsLeft(
  tx: Queryable,
  siteId: string,
  now: Date,
): Promise<{ readonly balance: number; readonly underCap: number | null }> {
  const row = await tx.one(sql.type(left)`
    select o.credit_balance as balance, s.spend_cap - coalesce(m.credits_spent, 0) as under_cap
    from sites s
    join organisations o on o.id = s.organisation_id
    left join site_months m on m.site_id = s.id and m.month = ${firstOfMonth(now)}::date
    where s.id = ${siteId}`);
  return { balance: row.balance, underCap: row.under_cap };
}

/** A page of the ledger, newest first: the Site's charges and refunds, and the grants of its organisation. */
export function listLedger(db: Queryable, site: Site, request: PageRequest): Promise<Page<LedgerEntry>> {
  return readPage(
    site,
    'usage/ledger',
    request,
    newestFirst('e', 'created_at'),
    ({ after, order }, count) => {
      const first = sql.fragment`order by ${order} limit ${count}`;
      return db.any(sql.type(ledgerRow)`
      select ${columns} from (
        (select ${columns} from credit_ledger e where site_id = ${site.id} and ${after} ${first})
        union all
        (select ${columns} from credit_ledger e
          where organisation_id = ${site.organisationId} and site_id is null and ${after} ${first})
      ) e ${first}`);
    },
  );
}
