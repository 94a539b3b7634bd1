import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { inBatch } from '../kernel/batch.ts';
import { firstOfMonth } from '../kernel/period.ts';

const foldedRow = z.object({ folded: z.number() });
const siteIdRow = z.object({ site_id: z.string() });

const usageRow = z.object({
  documents: z.number(),
  media_bytes: z.number(),
  pipeline_runs: z.number(),
  credits_spent: z.number(),
  credit_balance: z.number(),
  spend_cap: z.number().nullable(),
});

/** A Site's storage and its usage this month, with its organisation's balance. */
export type Usage = z.infer<typeof usageRow>;

/** Reads the stored totals (docs/decisions/0005); only the changes of the last minute are summed up here. */
export function readUsage(db: Queryable, siteId: string, now: Date): Promise<Usage> {
  return db.one(sql.type(usageRow)`
    select (coalesce(u.documents, 0) + c.documents)::bigint as documents,
      (coalesce(u.media_bytes, 0) + c.media_bytes)::bigint as media_bytes,
      coalesce(m.pipeline_runs, 0) as pipeline_runs, coalesce(m.credits_spent, 0) as credits_spent,
      o.credit_balance, s.spend_cap
    from sites s
    join organisations o on o.id = s.organisation_id
    left join site_usage u on u.site_id = s.id
    left join site_months m on m.site_id = s.id and m.month = ${firstOfMonth(now)}::date
    cross join lateral (
      select coalesce(sum(c.documents), 0) as documents, coalesce(sum(c.media_bytes), 0) as media_bytes
      from usage_changes c where c.site_id = s.id
    ) c
    where s.id = ${siteId}`);
}

/** Counts a pipeline run in its Site's month. */
export async function countPipelineRun(tx: Transaction, siteId: string, now: Date): Promise<void> {
  await tx.exec(statement`
    insert into site_months as m (site_id, month, pipeline_runs) values (${siteId}, ${firstOfMonth(now)}::date, 1)
    on conflict on constraint site_months_pkey do update set pipeline_runs = m.pipeline_runs + 1`);
}

/** Adds a batch of changes to the totals of their Sites. @returns how many */
export async function foldUsage(tx: Transaction, size: number): Promise<number> {
  const { folded } = await tx.one(sql.type(foldedRow)`
    with taken as (
      delete from usage_changes where ${inBatch({ table: 'usage_changes', by: 'id', size })}
      returning site_id, documents, media_bytes
    ), added as (
      insert into site_usage as u (site_id, documents, media_bytes)
      select site_id, sum(documents), sum(media_bytes) from taken group by site_id order by site_id
      on conflict (site_id) do update
        set documents = u.documents + excluded.documents, media_bytes = u.media_bytes + excluded.media_bytes
    )
    select count(*)::int as folded from taken`);
  return folded;
}

const driftRow = z.object({ site_id: z.string(), documents: z.number(), media_bytes: z.number() });

/** The difference of a Site's totals: the missing ones, or, below zero, the excess. */
export type Drift = z.infer<typeof driftRow>;

/** How often each Site's totals are checked against its rows. */
const CHECK_EVERY_MS = 24 * 60 * 60_000;

/**
 * Checks the totals of some Sites, those with the oldest check, against their articles and assets. A difference is
 * corrected by an additional change, so that concurrent writes are neither delayed nor lost.
 *
 * @returns the differences, each of which is a defect
 */
export async function repairUsage(tx: Transaction, now: Date, sites: number): Promise<readonly Drift[]> {
  await tx.exec(statement`
    insert into site_usage (site_id) select id from sites s
    where not exists (select from site_usage u where u.site_id = s.id) on conflict do nothing`);
  // Locked first: otherwise two concurrent checks would both correct the same difference.
  const locked = await tx.any(sql.type(siteIdRow)`
    select site_id from site_usage
    where checked_at is null or checked_at <= ${at(new Date(now.getTime() - CHECK_EVERY_MS))}
    order by checked_at nulls first, site_id limit ${sites} for no key update skip locked`);
  const ids = locked.map(({ site_id: id }) => id);
  if (ids.length === 0) return [];
  return tx.any(sql.type(driftRow)`
    with checked as (
      update site_usage set checked_at = ${at(now)} where site_id = any(${array(ids, 'uuid')})
    ), drift as (
      select u.site_id,
        (select count(*) from articles a where a.site_id = u.site_id) - u.documents - c.documents as documents,
        (select coalesce(sum(m.size_bytes), 0) from media_assets m where m.site_id = u.site_id)
          - u.media_bytes - c.media_bytes as media_bytes
      from site_usage u
      cross join lateral (
        select coalesce(sum(c.documents), 0) as documents, coalesce(sum(c.media_bytes), 0) as media_bytes
        from usage_changes c where c.site_id = u.site_id
      ) c
      where u.site_id = any(${array(ids, 'uuid')})
    )
    insert into usage_changes (site_id, documents, media_bytes)
    select site_id, documents, media_bytes from drift where documents <> 0 or media_bytes <> 0 order by site_id
    returning site_id, documents, media_bytes`);
}
