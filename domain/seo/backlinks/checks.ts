import { z } from 'zod';
import type { Transaction } from '../../../db/transaction.ts';
import { array, at, sql, statement } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/statements.ts';
import { storableJson } from '../../kernel/storable.ts';

const idRow = z.object({ id: z.string() });
const checkedRow = z.object({
  id: z.string(),
  source_url: z.string(),
  target_url: z.string(),
  article_id: z.string().nullable(),
});

/** A backlink to be checked. */
export type BacklinkToCheck = z.infer<typeof checkedRow>;

/** @param articleIds if only links to some articles are wanted */
export async function readBacklinkIds(
  db: Queryable,
  siteId: string,
  articleIds: readonly string[] | undefined,
  after: string | null,
  count: number,
): Promise<readonly string[]> {
  const rows = await db.any(sql.type(idRow)`
    select b.id from backlinks b
    where b.site_id = ${siteId}
      and ${articleIds === undefined ? sql.fragment`true` : sql.fragment`b.article_id = any(${array(articleIds, 'uuid')})`}
      and ${after === null ? sql.fragment`true` : sql.fragment`b.id > ${after}`}
    order by b.id limit ${count}`);
  return rows.map(({ id }) => id);
}

export const readBacklinks = (
  db: Queryable,
  siteId: string,
  ids: readonly string[],
): Promise<readonly BacklinkToCheck[]> =>
  db.any(sql.type(checkedRow)`
    select b.id, b.source_url, b.target_url, a.id as article_id
    from backlinks b left join articles a on a.id = b.article_id
    where b.site_id = ${siteId} and b.id = any(${array(ids, 'uuid')})`);

/** The findings of a scan about a link. */
export interface BacklinkCheck {
  readonly id: string;
  readonly found: { readonly anchor: string; readonly rel: readonly string[] } | null;
}

/** Notes which links are there, as they are now, and which are not. */
export async function noteBacklinkChecks(
  tx: Transaction,
  siteId: string,
  checks: readonly BacklinkCheck[],
  now: Date,
): Promise<void> {
  const rows = checks.map(({ id, found }) => ({
    id,
    live: found !== null,
    anchor: found?.anchor,
    rel: found?.rel,
  }));
  await tx.exec(statement`
    update backlinks b set
      status = case when c.live then 'live' else 'lost' end,
      anchor = case when c.live then c.anchor else b.anchor end,
      rel = case when c.live then c.rel else b.rel end,
      last_seen_at = case when c.live then greatest(b.last_seen_at, ${at(now)}::timestamptz) else b.last_seen_at end,
      checked_at = ${at(now)}::timestamptz
    from json_to_recordset(${storableJson(rows)}::json) as c (id uuid, live boolean, anchor text, rel text[])
    where b.id = c.id and b.site_id = ${siteId}`);
}
