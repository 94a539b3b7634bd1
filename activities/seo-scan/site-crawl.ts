import type { PageVisitor } from '../../adapters/pages/visitor.ts';
import type { Database } from '../../db/database.ts';
import { readBlog } from '../../domain/seo/blog.ts';
import { pageAddress } from '../../domain/seo/pages/address.ts';
import { duplicateTitles } from '../../domain/seo/pages/crawl-rules.ts';
import type { RememberedPage } from '../../domain/seo/pages/crawl-rules.ts';
import { readOpenFindings } from '../../domain/seo/pages/open-findings.ts';
import { readPublicPages } from '../../domain/seo/pages/public-pages.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import type { Fault, KnownTarget, NewTarget, ScanKind, ScanWork } from '../../domain/seo/scan-kind.ts';
import { homeUrl } from '../../domain/sites/public-urls.ts';
import { crawl } from './crawled.ts';
import { oneByOne } from './follow.ts';

export interface PagePorts {
  readonly db: Database;
  readonly pages: PageVisitor;
}

const PART = 1_000;

/** Follows the links of a site from a page on, as search engines do. */
export const createSiteCrawl = ({ db, pages }: PagePorts): ScanKind<'site-crawl'> => ({
  name: 'site-crawl',
  async plan(work, after) {
    const start = await startOf(db, work);
    if (after === null) {
      const key = pageAddress(start);
      const first = { key, url: key, articleId: null, memo: { start: true }, examine: true };
      return { targets: [first], next: 'sitemap 0' };
    }
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
    const titles = { rules: ['duplicate-title'] as const, subjects: site.examined };
    const faults = duplicateTitles(site.titled);
    // Pages that were not reached any more, or could not be read, may have the links.
    if (!site.isWhole || !site.isRead) return { faults, lookedAt: [titles] };
    const links = { rules: ['orphan-page'] as const, subjects: site.expected.map(({ key }) => key) };
    const gone = { rules: ruleNamesOf('site-crawl'), subjects: await vanished(db, work, site) };
    return { faults: [...faults, ...orphansOf(site)], lookedAt: [titles, links, gone] };
  },
});

/** A page that others should link to: it is in the sitemap, or of a published article. */
interface Expected {
  readonly key: string;
  readonly articleId: string | null;
  readonly published: boolean;
}

/** What a crawl has seen, all together. */
interface Survey {
  readonly titled: readonly RememberedPage[];
  readonly examined: readonly string[];
  readonly expected: readonly Expected[];
  /** Pages that another one links to, and the start, by `withoutSlash`. */
  readonly linked: ReadonlySet<string>;
  /** Everything that is known, examined or not. */
  readonly seen: ReadonlySet<string>;
  /** Whether every page that is linked was looked at. */
  readonly isWhole: boolean;
  /** Whether any page was read. */
  readonly isRead: boolean;
}

/** @param among the articles whose pages others should link to; undefined for all that are published */
async function survey(
  targets: AsyncIterable<KnownTarget>,
  among: readonly string[] | undefined,
): Promise<Survey> {
  const titled: RememberedPage[] = [];
  const examined: string[] = [];
  const expected: Expected[] = [];
  const linked = new Set<string>();
  const seen = new Set<string>();
  const wanted = among && new Set(among);
  let isWhole = true;
  let isRead = false;
  for await (const { key, articleId, memo, examined: wasExamined } of targets) {
    seen.add(key);
    if (wasExamined) examined.push(key);
    else if (memo['linked'] === true) isWhole = false;
    if (memo['page'] === true) isRead = true;
    if (typeof memo['title'] === 'string') titled.push({ key, articleId, title: memo['title'] });
    if (memo['linked'] === true || memo['start'] === true) linked.add(withoutSlash(key));
    const published = memo['published'] === true && (wanted?.has(articleId ?? '') ?? true);
    if (memo['sitemap'] === true || published) expected.push({ key, articleId, published });
  }
  return { titled, examined, expected, linked, seen, isWhole, isRead };
}

/** Most sites answer the same with and without a slash at the end. */
const withoutSlash = (url: string): string => url.replace(/\/$/, '');

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

/** Pages of this origin with open findings that the site no longer has. */
async function vanished(db: Database, work: ScanWork, { seen }: Survey): Promise<readonly string[]> {
  const { origin } = await startOf(db, work);
  const findings = await readOpenFindings(db, work.siteId, 'site-crawl');
  return findings.map(({ url }) => url).filter((url) => !seen.has(url) && new URL(url).origin === origin);
}

/** Where a crawl begins, and the origin on which it stays. */
async function startOf(db: Database, { siteId, parameters }: ScanWork): Promise<URL> {
  return new URL(parameters.start_url ?? homeUrl(await readBlog(db, siteId)));
}

async function planSitemap(pages: PageVisitor, { siteId, signal }: ScanWork, { origin }: URL, from: number) {
  const listed = await pages.sitemapPages(origin, { siteId, signal, read: true });
  const part = listed.slice(from, from + PART);
  const targets = part.map((url): NewTarget => ({
    key: url,
    url,
    articleId: null,
    memo: { sitemap: true },
    examine: false,
  }));
  const end = from + PART;
  return { targets, next: end < listed.length ? `sitemap ${end}` : 'articles ' };
}
