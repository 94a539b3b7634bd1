import type { Database } from '../../db/database.ts';
import { slugsOfOtherPages } from '../../domain/seo/articles/crawled-pages.ts';
import {
  internalLinks,
  publishedSlugs,
  readMentions,
  readSharedTags,
} from '../../domain/seo/articles/links.ts';
import type { InternalLink, Related } from '../../domain/seo/articles/links.ts';
import { pageOf, readScannedArticles, readScannedSite } from '../../domain/seo/articles/read.ts';
import type { ScannedArticle, ScannedSite } from '../../domain/seo/articles/read.ts';
import { readSharedKeywords } from '../../domain/seo/articles/shared-keywords.ts';
import type { Rule } from '../../domain/seo/rules.ts';
import { planArticles } from '../../domain/seo/scan-articles.ts';
import type { Fault, LookedAt, ScanKind, ScanWork } from '../../domain/seo/scan-kind.ts';
import type { Ports } from '../ports.ts';

/** Articles that a unit reads to find out who links to its own; beyond that it does not say that nobody does. */
const MENTIONS = 400;
const MENTIONS_AT_ONCE = 50;
/** Related articles that are looked at, of one article, and shown. */
const RELATED = 20;

interface Linking {
  readonly article: ScannedArticle;
  /** null if the content could not be read. */
  readonly links: readonly InternalLink[] | null;
}

/** Looks at the links between the Site's articles, by their stored contents. */
export function createInternalLinks({
  db,
  articles: reader,
}: Pick<Ports, 'db' | 'articles'>): ScanKind<'internal-links'> {
  async function linksOf(
    { siteId, signal }: ScanWork,
    site: ScannedSite,
    article: Pick<ScannedArticle, 'slug' | 'content'>,
  ): Promise<readonly InternalLink[] | null> {
    const outline = await reader.outline(siteId, article.content ?? '', site.locale, signal);
    return outline === null ? null : internalLinks(site, article, outline);
  }

  /** @returns those of the slugs that another published article links to; null if there were too many to read */
  async function linkedSlugs(
    work: ScanWork,
    site: ScannedSite,
    slugs: readonly string[],
  ): Promise<{ readonly linked: ReadonlySet<string>; readonly complete: boolean }> {
    const linked = new Set<string>();
    let after: string | null = null;
    for (let read = 0; read < MENTIONS; read += MENTIONS_AT_ONCE) {
      const open = slugs.filter((slug) => !linked.has(slug));
      if (open.length === 0) return { linked, complete: true };
      const mentions = await readMentions(db, work.siteId, site, open, after, MENTIONS_AT_ONCE);
      for (const { id } of mentions) {
        // One content at a time: all of them may be too large for this process.
        const [mention] = await readScannedArticles(db, work.siteId, [id]);
        if (mention?.status !== 'published') continue;
        for (const { slug } of (await linksOf(work, site, mention)) ?? []) linked.add(slug);
      }
      if (mentions.length < MENTIONS_AT_ONCE) return { linked, complete: true };
      after = mentions.at(-1)?.id ?? null;
    }
    return { linked, complete: false };
  }

  return {
    name: 'internal-links',
    plan: (work, after) => planArticles(db, 'internal-links', work, after),
    async examine(work, targets) {
      const { siteId } = work;
      const ids = targets.map(({ key }) => key);
      const [site, articles, related] = await Promise.all([
        readScannedSite(db, siteId),
        readScannedArticles(db, siteId, ids),
        readRelated(db, siteId, ids),
      ]);
      const linkings: Linking[] = [];
      for (const article of articles) linkings.push({ article, links: await linksOf(work, site, article) });
      const readable = linkings.filter(({ links }) => links !== null);
      const published = articles.filter(({ status }) => status === 'published');
      const { linked, complete } = await linkedSlugs(
        work,
        site,
        published.flatMap(({ slug }) => slug ?? []),
      );
      const judged = complete ? published : published.filter(({ slug }) => linked.has(slug ?? ''));

      const faults: Fault<'internal-links'>[] = [
        ...(await brokenLinks(db, siteId, site, readable)),
        ...judged
          .filter(({ slug }) => !linked.has(slug ?? ''))
          .map((article) => faultOf('orphan-article', site, article, {})),
      ];
      for (const { article, links } of readable) {
        const missing = await unlinked(work, site, article, links ?? [], related.get(article.id) ?? []);
        if (missing.length > 0)
          faults.push(
            faultOf('missing-related-link', site, article, { related: missing, count: missing.length }),
          );
      }
      const looked = (
        rule: Rule<'internal-links'>,
        of: readonly ScannedArticle[],
      ): LookedAt<'internal-links'> => ({
        rules: [rule],
        subjects: of.map(({ id }) => id),
      });
      const read = readable.map(({ article }) => article);
      return {
        faults,
        lookedAt: [
          looked('broken-internal-link', read),
          looked('missing-related-link', read),
          looked('orphan-article', judged),
        ],
      };
    },
  };

  /** The related articles that neither link to this one nor are linked by it. */
  async function unlinked(
    work: ScanWork,
    site: ScannedSite,
    article: ScannedArticle,
    links: readonly InternalLink[],
    related: readonly Related[],
  ) {
    if (article.status !== 'published' || related.length === 0) return [];
    const others = await readScannedArticles(
      db,
      work.siteId,
      related.map(({ other_id: id }) => id),
    );
    const own = new Set(links.map(({ slug }) => slug));
    const missing: { article_id: string; title: string | null }[] = [];
    for (const other of others) {
      if (own.has(other.slug ?? '')) continue;
      const back = await linksOf(work, site, other);
      if (back === null || back.some(({ slug }) => slug === article.slug)) continue;
      missing.push({ article_id: other.id, title: other.title });
    }
    return missing;
  }
}

/** Articles about the same: with a keyword or several tags in common. By article, the closest first. */
async function readRelated(
  db: Database,
  siteId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Related[]>> {
  const [byKeyword, byTag] = await Promise.all([
    readSharedKeywords(db, siteId, ids, RELATED),
    readSharedTags(db, siteId, ids, RELATED),
  ]);
  const all = Map.groupBy<string, Related>([...byKeyword, ...byTag], ({ article_id: id }) => id);
  return new Map(
    [...all].map(([id, related]) => [
      id,
      [...new Map(related.map((one) => [one.other_id, one])).values()].slice(0, RELATED),
    ]),
  );
}

/** Links to articles that do not exist, or are not published; not those to pages that a crawl has found. */
async function brokenLinks(
  db: Database,
  siteId: string,
  site: ScannedSite,
  linkings: readonly Linking[],
): Promise<Fault<'internal-links'>[]> {
  const slugs = new Set(linkings.flatMap(({ links }) => (links ?? []).map(({ slug }) => slug)));
  const published = await publishedSlugs(db, siteId, [...slugs]);
  const missing = new Set([...slugs].filter((slug) => !published.has(slug)));
  const others = await slugsOfOtherPages(db, siteId, site, [...missing]);
  return linkings.flatMap(({ article, links }) =>
    (links ?? [])
      .filter(({ slug }) => missing.has(slug) && !others.has(slug))
      .map(({ slug, href, text }) => ({
        ...faultOf('broken-internal-link', site, article, { link: href, text }),
        key: `${article.id} ${slug}`,
      })),
  );
}

const faultOf = (
  rule: Rule<'internal-links'>,
  site: ScannedSite,
  article: ScannedArticle,
  evidence: Readonly<Record<string, unknown>>,
): Fault<'internal-links'> => ({
  rule,
  subject: article.id,
  url: pageOf(site, article),
  articleId: article.id,
  evidence,
});
