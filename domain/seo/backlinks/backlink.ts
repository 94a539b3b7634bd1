import { z } from 'zod';
import { array, columnsOf, sql, timestamp } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/statements.ts';
import type { Site } from '../../kernel/site.ts';
import { recordChange } from '../../audit/change.ts';
import type { Change } from '../../audit/change.ts';
import { values } from '../../audit/details.ts';
import { notFound } from '../../kernel/errors.ts';
import { byId, readPage } from '../../kernel/page.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import { reversedHost } from './reversed-host.ts';

/** `unknown` until a scan has looked. */
export const backlinkStatuses = ['unknown', 'live', 'lost'] as const;

export type BacklinkStatus = (typeof backlinkStatuses)[number];

const backlinkRow = z.object({
  id: z.string(),
  source_url: z.string(),
  target_url: z.string(),
  anchor: z.string().nullable(),
  rel: z.array(z.string()).nullable(),
  status: z.enum(backlinkStatuses),
  first_seen_at: timestamp,
  last_seen_at: timestamp,
  checked_at: timestamp.nullable(),
});
const listedRow = backlinkRow.extend({ article_id: z.string().nullable() });

export type Backlink = z.infer<typeof listedRow>;

const columns = columnsOf(backlinkRow, 'b');
/** The article may have been deleted since the import. */
const from = sql.fragment`backlinks b left join articles a on a.id = b.article_id`;

export interface BacklinkFilters {
  readonly status?: readonly BacklinkStatus[] | undefined;
  readonly articleId?: string | undefined;
  /** A host; its subdomains count too. */
  readonly domain?: string | undefined;
}

/** A page of a Site's backlinks, newest first. */
export function listBacklinks(
  db: Queryable,
  site: Site,
  filters: BacklinkFilters,
  request: PageRequest,
): Promise<Page<Backlink>> {
  const { status, articleId, domain } = filters;
  const conditions = [sql.fragment`b.site_id = ${site.id}`];
  if (status !== undefined) conditions.push(sql.fragment`b.status = any(${array(status, 'text')})`);
  if (articleId !== undefined) conditions.push(sql.fragment`a.id = ${articleId}`);
  if (domain !== undefined) {
    const first = reversedHost(domain);
    // The character after the dot ends the range.
    const end = `${first.slice(0, -1)}/`;
    conditions.push(sql.fragment`b.reversed_host >= ${first} and b.reversed_host < ${end}`);
  }
  const where = sql.join(conditions, sql.fragment` and `);
  const query = `backlinks ${JSON.stringify([status?.toSorted(), articleId, domain])}`;
  return readPage(site, query, request, byId('b', 'desc'), ({ after, order }, count) =>
    db.any(sql.type(listedRow)`
      select ${columns}, a.id as article_id from ${from}
      where ${where} and ${after} order by ${order} limit ${count}`),
  );
}

/** @throws ServiceError NOT_FOUND */
export async function deleteBacklink(change: Change, id: string): Promise<void> {
  const { tx, site } = change;
  const row = await tx.maybeOne(sql.type(backlinkRow)`
    delete from backlinks b where b.id = ${id} and b.site_id = ${site.id} returning ${columns}`);
  if (row === null) throw notFound('backlink');
  const details = values(row, ['source_url', 'target_url', 'status']);
  recordChange(change, 'backlink.delete', { type: 'backlink', id }, details);
}
