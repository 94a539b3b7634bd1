import type { Database } from '../../db/database.ts';
import { readBlog } from '../../domain/seo/blog.ts';
import { pageAddress } from '../../domain/seo/address.ts';
import { readDuplicates, readPagesFoundBy, readRetraceable } from '../../domain/seo/pages/earlier-crawls.ts';
import type { ScanWork } from '../../domain/seo/scan-kind.ts';
import { homeUrl } from '../../domain/purge/public-urls.ts';
import type { Survey } from './crawl-survey.ts';

/**
 * The earlier crawls that a crawl has retraced: it was at their start, and read every page they had read that still
 * exists and is linked. Pages that only they have seen are therefore gone.
 */
export async function retracedCrawls(
  db: Database,
  { siteId, scanId }: ScanWork,
  { looked, isWhole, isRead, isAllRead, isSitemapRead }: Survey,
): Promise<ReadonlySet<string>> {
  if (!isWhole || !isRead) return new Set();
  const home = homeUrl(await readBlog(db, siteId));
  const crawls = await readRetraceable(db, { siteId, scanId, isRead: isAllRead, isSitemapRead });
  const retraced = crawls.filter(({ start_url: start }) => looked.has(pageAddress(new URL(start ?? home))));
  return new Set(retraced.map(({ id }) => id));
}

/** Pages with open findings that the site no longer has. */
export async function vanishedPages(
  db: Database,
  siteId: string,
  { seen }: Survey,
  retraced: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found = await readPagesFoundBy(db, siteId, [...retraced]);
  return found.map(({ url }) => url).filter((url) => !seen.has(url));
}

/** Pages whose titles were compared with those of all pages that had the same one. */
export async function comparedTitles(
  db: Database,
  siteId: string,
  { looked, seen, titled }: Survey,
  retraced: ReadonlySet<string>,
): Promise<readonly string[]> {
  const titles = new Map(titled.map(({ key, title }) => [key, title.toLowerCase()]));
  const open = new Set<string>();
  for await (const { url, scan_id: crawl, title, pages, others } of readDuplicates(db, siteId)) {
    const own = titles.get(url);
    // A page with another title, or without one, has nothing in common with the others.
    if (own === undefined || (title !== null && own !== title.toLowerCase())) continue;
    const isRetraced = retraced.has(crawl);
    const isKnown = (other: string): boolean => looked.has(other) || (isRetraced && !seen.has(other));
    const named = others ?? [];
    const areAllNamed = pages === named.length + 1;
    if (!named.every(isKnown) || (!areAllNamed && !isRetraced)) open.add(url);
  }
  return [...looked].filter((key) => !open.has(key));
}
