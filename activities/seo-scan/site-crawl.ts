import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { Database } from '../../db/database.ts';
import { readBlog } from '../../domain/seo/blog.ts';
import { pageAddress } from '../../domain/seo/address.ts';
import { duplicateTitles } from '../../domain/seo/pages/crawl-rules.ts';
import { readPublicPages } from '../../domain/seo/pages/public-pages.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import type { Fault, Memo, NewTarget, ScanKind, ScanWork } from '../../domain/seo/scan-kind.ts';
import { homeUrl } from '../../domain/purge/public-urls.ts';
import { comparedTitles, retracedCrawls, vanishedPages } from './crawl-retrace.ts';
import { survey, withoutSlash } from './crawl-survey.ts';
import type { Survey } from './crawl-survey.ts';
import { crawl } from './crawled.ts';
import { oneByOne } from './follow.ts';
import type { Ports } from '../ports.ts';

const PART = 1_000;

/** Follows the links of a site from a page on, as search engines do. */
export const createSiteCrawl = ({ db, pages }: Pick<Ports, 'db' | 'pages'>): ScanKind<'site-crawl'> => ({
  name: 'site-crawl',
  async plan(work, after) {
    const start = await startOf(db, work);
    if (after === null) return { targets: [startTarget(start)], next: 'sitemap 0' };
    const [from, position = ''] = after.split(' ');
    if (from === 'sitemap') return planSitemap(pages, work, start, Number(position));
    const known = await readPublicPages(db, work.siteId, position === '' ? null : position, PART);
    const targets = known.flatMap(({ id, url }): NewTarget[] => {
      const page = new URL(url);
      const key = pageAddress(page);
      const target = { key, url: key, articleId: id, memo: { published: true }, examine: false };
      return page.origin === start.origin ? [target] : [];
    });
    return { targets, next: known.length < PART ? null : `articles ${known.at(-1)?.id}` };
  },
  async examine(work, targets) {
    // A site is asked by one crawl for one page at a time.
    const crawled = await oneByOne(targets, (target) => crawl(pages, work, target));
    return {
      faults: crawled.flatMap(({ faults }) => faults),
      lookedAt: [...Map.groupBy(crawled, ({ rules }) => rules)].map(([rules, same]) => ({
        rules,
        subjects: same.map(({ key }) => key),
      })),
      uncounted: crawled.filter(({ counts }) => !counts).map(({ key }) => key),
      postponed: targets.slice(crawled.length).map(({ key }) => key),
      memos: new Map(crawled.map(({ key, memo }) => [key, memo])),
      newTargets: crawled.flatMap(({ newTargets }) => newTargets),
    };
  },
  async conclude(work, targets) {
    const site = await survey(targets, work.parameters.article_ids);
    const retraced = await retracedCrawls(db, work, site);
    const compared = await comparedTitles(db, work.siteId, site, retraced);
    const titles = { rules: ['duplicate-title'] as const, subjects: compared };
    const faults = duplicateTitles(site.titled);
    // Pages that were not reached any more, or could not be read, may have the links.
    if (!site.isWhole || !site.isRead) return { faults, lookedAt: [titles] };
    const links = { rules: ['orphan-page'] as const, subjects: site.expected.map(({ key }) => key) };
    const { origin } = await startOf(db, work);
    const missing = await vanishedPages(db, work.siteId, site, retraced);
    const subjects = missing.filter((url) => new URL(url).origin === origin);
    const gone = { rules: ruleNamesOf('site-crawl'), subjects };
    return { faults: [...faults, ...orphansOf(site)], lookedAt: [titles, links, gone] };
  },
});

const orphansOf = ({ expected, linked }: Survey): Fault<'site-crawl'>[] =>
  expected
    .filter(({ key }) => !linked.has(withoutSlash(key)))
    .map(({ key, articleId, published }) => ({
      rule: 'orphan-page',
      subject: key,
      url: key,
      articleId,
      evidence: { known_by: published ? 'article' : 'sitemap' },
    }));

/** The page at which a crawl begins, with the notes on it. */
function startTarget(start: URL, memo: Memo = {}): NewTarget {
  const key = pageAddress(start);
  return { key, url: key, articleId: null, memo: { start: true, ...memo }, examine: true };
}

/** Where a crawl begins, and the origin on which it stays. */
async function startOf(db: Database, { siteId, parameters }: ScanWork): Promise<URL> {
  return new URL(parameters.start_url ?? homeUrl(await readBlog(db, siteId)));
}

async function planSitemap(pages: PageVisitor, { siteId, signal }: ScanWork, start: URL, from: number) {
  const { pages: listed, whole } = await pages.sitemapPages(start.origin, { siteId, signal, read: true });
  // The start has a place as well.
  const end = from + PART - 1;
  const targets = listed.slice(from, end).map((url): NewTarget => ({
    key: url,
    url,
    articleId: null,
    memo: { sitemap: true },
    examine: false,
  }));
  if (!whole) targets.push(startTarget(start, { unreadSitemap: true }));
  return { targets, next: end < listed.length ? `sitemap ${end}` : 'articles ' };
}
