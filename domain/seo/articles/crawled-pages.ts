import { z } from 'zod';
import type { Queryable } from '../../../db/statements.ts';
import { array, sql } from '../../../db/sql.ts';
import { publicUrl } from '../../purge/public-urls.ts';
import type { Blog } from '../../purge/public-urls.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { pageAddress } from '../address.ts';

const pageRow = z.object({ fingerprint: z.string() });

/**
 * Those of the slugs at whose addresses the last crawl found a page that is no article's: the front end has pages of its
 * own, such as `/about`, where the addresses of articles are.
 */
export async function slugsOfOtherPages(
  db: Queryable,
  siteId: string,
  site: Blog,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const addresses = new Map(
    slugs.flatMap((slug) => {
      const page = pageAddress(new URL(publicUrl(site, 'article', slug)));
      const other = page.endsWith('/') ? page.slice(0, -1) : `${page}/`;
      return [page, other].map((address) => [fingerprintOf(address), slug] as const);
    }),
  );
  const rows = await db.any(sql.type(pageRow)`
    select t.fingerprint from seo_scan_targets t
    where t.scan_id = (
        select s.id from seo_scans s
        where s.site_id = ${siteId} and s.kind = 'site-crawl' and s.status = 'completed' order by s.id desc limit 1
      )
      and t.fingerprint = any(${array([...addresses.keys()], 'text')}) and t.state in ('done', 'earlier')
      and t.article_id is null and not t.memo ? 'published'
      and not exists (
        select from seo_findings f
        where f.site_id = ${siteId} and f.kind = 'site-crawl' and f.status <> 'fixed' and f.fingerprint = t.fingerprint
          and f.rule in ('broken-page', 'redirect-loop', 'blocked-by-robots')
      )`);
  return new Set(rows.flatMap(({ fingerprint }) => addresses.get(fingerprint) ?? []));
}
