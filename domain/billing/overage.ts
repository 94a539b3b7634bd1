import { z } from 'zod';
import { at, sql, statement } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { includedStorage } from '../kernel/plans.ts';
import { firstOfMonth, periodOf } from '../kernel/period.ts';

/**
 * Counts what organisations keep beyond what each of their Sites includes, once a day: the totals of the Sites as far as
 * changes were added to them.
 *
 * @returns whether this call counted
 */
export async function countOverage(tx: Transaction, now: Date): Promise<boolean> {
  const day = now.toISOString().slice(0, 10);
  const first = await tx.exec(statement`
    insert into overage_counts (day, counted_at) values (${day}::date, ${at(now)})
    on conflict on constraint overage_counts_pkey do nothing`);
  if (first === 0) return false;
  const { documents, mediaBytes } = includedStorage;
  await tx.exec(statement`
    insert into overage_days (organisation_id, day, documents, media_bytes)
    select s.organisation_id, ${day}::date, sum(greatest(0, u.documents - ${documents})),
      sum(greatest(0, u.media_bytes - ${mediaBytes}::bigint))
    from site_usage u join sites s on s.id = u.site_id
    where u.documents > ${documents} or u.media_bytes > ${mediaBytes}::bigint
    group by s.organisation_id`);
  return true;
}

const totalRow = z.object({
  documents: z.number(),
  media_bytes: z.number(),
  last_documents: z.number(),
  last_media_bytes: z.number(),
});

/** The storage of an organisation beyond the included one in a month. */
export interface Overage {
  /** As counted last. */
  readonly documents: number;
  readonly mediaBytes: number;
  /** Added up over the days. */
  readonly documentDays: number;
  readonly byteDays: number;
}

export async function readOverage(db: Queryable, organisationId: string, inMonth: Date): Promise<Overage> {
  const row = await db.one(sql.type(totalRow)`
    select coalesce(sum(d.documents), 0)::bigint as documents, coalesce(sum(d.media_bytes), 0)::float8 as media_bytes,
      coalesce(max(d.documents) filter (where d.day = l.day), 0) as last_documents,
      coalesce(max(d.media_bytes) filter (where d.day = l.day), 0) as last_media_bytes
    from (select max(day) as day from overage_counts) l
    left join overage_days d on d.organisation_id = ${organisationId}
      and d.day >= ${firstOfMonth(inMonth)}::date and d.day < ${firstOfMonth(periodOf(inMonth).end)}::date`);
  return {
    documents: row.last_documents,
    mediaBytes: row.last_media_bytes,
    documentDays: row.documents,
    byteDays: row.media_bytes,
  };
}

/** The price of storage for a month, in the smallest unit of the currency; it may have a fraction. */
export interface StoragePrices {
  readonly perThousandDocuments: number;
  readonly perGigabyte: number;
  readonly currency: string;
}

const DAY_MS = 24 * 60 * 60_000;

/** A day costs its part of the month. Rounded once, at the end. */
export function costOf(overage: Overage, prices: StoragePrices, inMonth: Date): number {
  const { start, end } = periodOf(inMonth);
  const days = (end.getTime() - start.getTime()) / DAY_MS;
  const cost =
    (overage.documentDays / 1_000) * prices.perThousandDocuments +
    (overage.byteDays / 1e9) * prices.perGigabyte;
  return Math.round(cost / days);
}

const dueRow = z.object({
  organisation_id: z.string(),
  month: z.string(),
  customer_id: z.string(),
  subscribed: z.boolean(),
});

/** A month of an organisation that has not been invoiced. */
export type DueMonth = z.infer<typeof dueRow>;

/** For so long a month that the provider refused is left alone: the others come first, and a person looks at it. */
const REFUSED_MS = 60 * 60_000;

/** Months that are over and were not invoiced, of organisations that are customers. */
export const listDueMonths = (db: Queryable, now: Date, count: number): Promise<readonly DueMonth[]> =>
  db.any(sql.type(dueRow)`
    select d.organisation_id, to_char(d.month, 'YYYY-MM') as month, a.customer_id, exists (
        select from billing_subscriptions s
        where s.organisation_id = d.organisation_id and s.status in ('active', 'trialing', 'past_due')
      ) as subscribed
    from (
      select distinct organisation_id, date_trunc('month', day::timestamp)::date as month from overage_days
      where day < ${firstOfMonth(now)}::date
    ) d
    join billing_accounts a on a.organisation_id = d.organisation_id and a.customer_id is not null
    left join overage_invoices i on i.organisation_id = d.organisation_id and i.month = d.month
    where i.invoiced_at is null
      and (i.refused_at is null or i.refused_at < ${at(new Date(now.getTime() - REFUSED_MS))})
    order by d.month, d.organisation_id limit ${count}`);

const amountRow = z.object({ amount: z.number(), currency: z.string() });

/** Fixes the price of a month, once: a repeated charge has to be the same. */
export async function fixOverage(
  tx: Transaction,
  { organisation_id: organisationId, month }: DueMonth,
  cost: z.infer<typeof amountRow>,
  now: Date,
): Promise<z.infer<typeof amountRow>> {
  await tx.exec(statement`
    insert into overage_invoices (organisation_id, month, amount, currency, created_at)
    values (${organisationId}, ${`${month}-01`}::date, ${cost.amount}, ${cost.currency}, ${at(now)})
    on conflict on constraint overage_invoices_pkey do nothing`);
  return tx.one(sql.type(amountRow)`
    select amount, currency from overage_invoices
    where organisation_id = ${organisationId} and month = ${`${month}-01`}::date`);
}

export async function markInvoiced(
  db: Queryable,
  { organisation_id: organisationId, month }: DueMonth,
  itemId: string | null,
  now: Date,
): Promise<void> {
  await db.exec(statement`
    update overage_invoices set item_id = ${itemId}, invoiced_at = ${at(now)}
    where organisation_id = ${organisationId} and month = ${`${month}-01`}::date`);
}

export async function markRefused(
  db: Queryable,
  { organisation_id: organisationId, month }: DueMonth,
  now: Date,
): Promise<void> {
  await db.exec(statement`
    update overage_invoices set refused_at = ${at(now)}
    where organisation_id = ${organisationId} and month = ${`${month}-01`}::date`);
}

/**
 * Settles months that are over while storage has no price: a price that is set later is not for them.
 *
 * @returns how many
 */
export const settleFreeMonths = (
  db: Queryable,
  now: Date,
  currency: string,
  count: number,
): Promise<number> =>
  db.exec(statement`
    insert into overage_invoices (organisation_id, month, amount, currency, created_at, invoiced_at)
    select distinct d.organisation_id, date_trunc('month', d.day::timestamp)::date, 0, ${currency}, ${at(now)}::timestamptz,
      ${at(now)}::timestamptz
    from overage_days d
    where d.day < ${firstOfMonth(now)}::date and not exists (
      select from overage_invoices i
      where i.organisation_id = d.organisation_id and i.month = date_trunc('month', d.day::timestamp)::date
    )
    limit ${count} on conflict on constraint overage_invoices_pkey do nothing`);
