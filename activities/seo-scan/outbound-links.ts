import { readScannedArticles, readScannedSite } from '../../domain/seo/articles/read.ts';
import { faultsOfLink, outboundLinks, rulesOfLink } from '../../domain/seo/pages/link-rules.ts';
import { readOpenFindings } from '../../domain/seo/pages/open-findings.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import { planArticles } from '../../domain/seo/scan-articles.ts';
import type { Fault, NewTarget, ScanKind, ScanWork } from '../../domain/seo/scan-kind.ts';
import { followed, visitAll } from './follow.ts';
import type { Ports } from '../ports.ts';

/** Targets of one part of the plan, about, and articles that are read at a time. */
const PART = 500;
const ARTICLES_AT_ONCE = 10;
/** Links of one article that are followed. */
const LINKS = 500;

const rules = ruleNamesOf('outbound-links');

/** An article that could be read. */
interface Linking {
  readonly id: string;
  readonly status: string;
  readonly urls: readonly string[];
}

const keyOf = (articleId: string, url: string): string => `${articleId} ${url}`;

const targetOf = (id: string, url: string): NewTarget => ({
  key: keyOf(id, url),
  url,
  articleId: id,
  memo: {},
  examine: true,
});

/** Follows the links that lead from articles to other sites. */
export function createOutboundLinks({
  db,
  pages,
  articles: reader,
}: Pick<Ports, 'db' | 'pages' | 'articles'>): ScanKind<'outbound-links'> {
  /** Some articles with their links, each once in its article; without those that cannot be read. */
  async function linksOf(
    { siteId, signal }: ScanWork,
    ids: readonly string[],
    most: number,
  ): Promise<readonly Linking[]> {
    const [site, found] = await Promise.all([
      readScannedSite(db, siteId),
      readScannedArticles(db, siteId, ids),
    ]);
    const linkings: Linking[] = [];
    for (const { id, status, content } of found) {
      const outline = await reader.outline(siteId, content ?? '', site.locale, signal);
      if (outline !== null) linkings.push({ id, status, urls: outboundLinks(site, outline.links, most) });
    }
    return linkings;
  }

  /** The keys of those links that are no longer in their articles; none of articles that the scan does not take. */
  async function takenOut(
    work: ScanWork,
    links: readonly { readonly id: string; readonly url: string }[],
  ): Promise<readonly string[]> {
    const { article_ids: among } = work.parameters;
    const named = among && new Set(among);
    const urlsOf = Map.groupBy(links, ({ id }) => id);
    const ids = [...urlsOf.keys()].filter((id) => named?.has(id) ?? true);
    const gone: string[] = [];
    for (let read = 0; read < ids.length; read += ARTICLES_AT_ONCE) {
      const some = ids.slice(read, read + ARTICLES_AT_ONCE);
      for (const { id, status, urls } of await linksOf(work, some, Infinity)) {
        if (named === undefined && status !== 'published') continue;
        const there = new Set(urls);
        const missing = (urlsOf.get(id) ?? []).filter(({ url }) => !there.has(url));
        gone.push(...missing.map(({ url }) => keyOf(id, url)));
      }
    }
    return gone;
  }

  return {
    name: 'outbound-links',
    async plan(work, after) {
      const { targets: planned, next } = await planArticles(db, 'outbound-links', work, after);
      const ids = planned.map(({ key }) => key);
      const targets: NewTarget[] = [];
      let read = 0;
      while (read < ids.length && targets.length < PART) {
        const some = ids.slice(read, read + ARTICLES_AT_ONCE);
        for (const { id, urls } of await linksOf(work, some, LINKS))
          targets.push(...urls.map((url) => targetOf(id, url)));
        read += some.length;
      }
      return { targets, next: read < ids.length ? (ids[read - 1] ?? null) : next };
    },
    async examine({ siteId, signal }, targets) {
      const urls = targets.flatMap(({ url }) => (url === null ? [] : [url]));
      const visits = await visitAll(pages, urls, { siteId, signal, read: false }, followed);
      const looked = targets.flatMap(({ key, url, articleId }) => {
        const visit = visits.get(url ?? '');
        return url === null || visit === undefined ? [] : [{ key, url, articleId, visit }];
      });
      const done = new Set(looked.map(({ key }) => key));
      return {
        faults: looked.flatMap(({ key, url, articleId, visit }): Fault<'outbound-links'>[] =>
          faultsOfLink(url, visit).map((fault) => ({ ...fault, subject: key, url, articleId })),
        ),
        lookedAt: [...Map.groupBy(looked, ({ visit }) => rulesOfLink(visit))].map(([known, same]) => ({
          rules: known,
          subjects: same.map(({ key }) => key),
        })),
        uncounted: looked.filter(({ visit }) => visit.outcome === 'forbidden').map(({ key }) => key),
        postponed: targets.map(({ key }) => key).filter((key) => !done.has(key)),
      };
    },
    /** Links that were taken out of their articles are no faults any more. */
    async conclude(work, targets) {
      const known = new Set<string>();
      for await (const { key } of targets) known.add(key);
      const open = (await readOpenFindings(db, work.siteId, 'outbound-links')).flatMap(
        ({ article_id: id, url }) => (id === null || known.has(keyOf(id, url)) ? [] : [{ id, url }]),
      );
      const subjects = await takenOut(work, open);
      return { faults: [], lookedAt: [{ rules, subjects }] };
    },
  };
}
