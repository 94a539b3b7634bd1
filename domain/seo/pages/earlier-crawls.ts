import { z } from 'zod';
import { array, sql } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/statements.ts';

const crawlRow = z.object({ id: z.string(), start_url: z.string().nullable() });

/** A crawl that looks at a site again. */
export interface LaterCrawl {
  readonly siteId: string;
  readonly scanId: string;
  /** Whether it could read every page that it asked for; the others have `unread` in their memos. */
  readonly isRead: boolean;
  readonly isSitemapRead: boolean;
}

/**
 * The crawls that found what is open of a Site, and that got to their pages by nothing that the later one could not
 * read. What a crawl has read is known as long as it has its targets; without them, the later one has to have read
 * everything.
 */
export const readRetraceable = (
  db: Queryable,
  { siteId, scanId, isRead, isSitemapRead }: LaterCrawl,
): Promise<readonly z.infer<typeof crawlRow>[]> => {
  const retraceable = sql.fragment`(
    select bool_and(
      not (coalesce(n.memo ? 'unread', false) and t.state in ('done', 'earlier') and not t.memo ? 'unread')
    ) and (
      ${isSitemapRead}::boolean or bool_or(t.memo ? 'unreadSitemap') or not bool_or(t.memo ? 'sitemap')
    )
    from seo_scan_targets t
    left join seo_scan_targets n on n.scan_id = ${scanId} and n.fingerprint = t.fingerprint
    where t.scan_id = found.scan_id
  )`;
  return db.any(sql.type(crawlRow)`
    with found as materialized (
      select distinct f.scan_id from seo_findings f
      where f.site_id = ${siteId} and f.kind = 'site-crawl' and f.status = 'open'
    )
    select s.id, s.parameters ->> 'start_url' as start_url from found join seo_scans s on s.id = found.scan_id
    where ${isRead && isSitemapRead ? sql.fragment`true` : retraceable}`);
};

const pageRow = z.object({ url: z.string() });

const MOST = 20_000;

/** The pages of a Site whose open findings of crawls were all found by these crawls. */
export const readPagesFoundBy = (db: Queryable, siteId: string, crawls: readonly string[]) =>
  db.any(sql.type(pageRow)`
    select f.url from seo_findings f
    where f.site_id = ${siteId} and f.kind = 'site-crawl' and f.status = 'open' and f.url is not null
    group by f.url having bool_and(f.scan_id = any(${array(crawls, 'uuid')}))
    limit ${MOST}`);

const duplicateRow = z.object({
  id: z.string(),
  scan_id: z.string(),
  url: z.string(),
  /** The title, how many pages have it, and some of the others; null if the evidence was too long. */
  title: z.string().nullable(),
  pages: z.number().nullable(),
  others: z.array(z.string()).nullable(),
});

/** An open finding of a title that several pages have. */
export type FoundDuplicate = z.infer<typeof duplicateRow>;

/** Reads the open findings of titles that several pages have, in parts. */
export async function* readDuplicates(db: Queryable, siteId: string): AsyncGenerator<FoundDuplicate> {
  const count = 500;
  let after: string | null = null;
  for (;;) {
    const rows: readonly FoundDuplicate[] = await db.any(sql.type(duplicateRow)`
      select f.id, f.scan_id, f.url, f.evidence ->> 'title' as title, (f.evidence ->> 'pages')::int as pages,
        f.evidence -> 'others' as others
      from seo_findings f
      where f.site_id = ${siteId} and f.kind = 'site-crawl' and f.rule = 'duplicate-title' and f.status = 'open'
        and f.url is not null and ${after === null ? sql.fragment`true` : sql.fragment`f.id > ${after}`}
      order by f.id limit ${count}`);
    yield* rows;
    if (rows.length < count) return;
    after = rows.at(-1)?.id ?? null;
  }
}
