import type { ArticleReader } from '../../adapters/articles/reader.ts';
import { readScannedArticles, readScannedSite } from '../../domain/seo/articles/read.ts';
import { faultsOfLink, outboundLinks, rulesOfLink } from '../../domain/seo/pages/link-rules.ts';
import { readOpenFindings } from '../../domain/seo/pages/open-findings.ts';
import { ruleNamesOf } from '../../domain/seo/rules.ts';
import { planArticles } from '../../domain/seo/scan-articles.ts';
import type { Fault, NewTarget, ScanKind } from '../../domain/seo/scan-kind.ts';
import { followed, visitAll } from './follow.ts';
import type { PagePorts } from './site-crawl.ts';

export interface LinkPorts extends PagePorts {
  readonly articles: ArticleReader;
}

/** Targets of one part of the plan, about, and articles that are read at a time. */
const PART = 500;
const ARTICLES_AT_ONCE = 10;

const rules = ruleNamesOf('outbound-links');

const keyOf = (articleId: string, url: string): string => `${articleId} ${url}`;

/** Follows the links that lead from articles to other sites. */
export function createOutboundLinks({ db, pages, articles: reader }: LinkPorts): ScanKind<'outbound-links'> {
  /** The links of some articles, each once in its article. */
  async function linksOf(siteId: string, ids: readonly string[], signal: AbortSignal): Promise<NewTarget[]> {
    const [site, found] = await Promise.all([
      readScannedSite(db, siteId),
      readScannedArticles(db, siteId, ids),
    ]);
    const targets: NewTarget[] = [];
    for (const { id, content } of found) {
      const outline = await reader.outline(siteId, content ?? '', site.locale, signal);
      for (const url of outboundLinks(site, outline?.links ?? []))
        targets.push({ key: keyOf(id, url), url, articleId: id, memo: {}, examine: true });
    }
    return targets;
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
        targets.push(...(await linksOf(work.siteId, some, work.signal)));
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
    async conclude({ siteId, parameters }, targets) {
      const left = new Set<string>();
      for await (const { key } of targets) left.add(key);
      const among = parameters.article_ids && new Set(parameters.article_ids);
      const gone = (await readOpenFindings(db, siteId, 'outbound-links')).flatMap(
        ({ article_id: id, url }) => (id !== null && (among?.has(id) ?? true) ? [keyOf(id, url)] : []),
      );
      return { faults: [], lookedAt: [{ rules, subjects: gone.filter((key) => !left.has(key)) }] };
    },
  };
}
