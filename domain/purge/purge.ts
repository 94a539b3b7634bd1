import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Effects } from '../../db/effects.ts';
import { array, json, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { deferredEffect } from '../kernel/deferred-effect.ts';
import { cacheKey } from './cache-keys.ts';
import { nothingStale, staleAddresses } from './stale-addresses.ts';
import type { Stale } from './stale-addresses.ts';
import { beforeTerms, stalePagesRow } from './stale-pages.ts';
import type { StalePages } from './stale-pages.ts';
import type { NamedTerm } from './public-urls.ts';
import { workflowMessage } from '../kernel/workflow-messages.ts';

/** The pages that a cache has to drop, by addresses and by keys. */
export interface Purge {
  readonly urls: readonly string[];
  readonly keys: readonly string[];
}

/** Tells the cache in front of a blog its stale pages. */
export interface CachePurger {
  /** The public URL of the service, below which the public files are. */
  readonly publicUrl: string;
  /** @returns whether the cache has accepted it, after `timeoutMs` at most */
  purge(purge: Purge, timeoutMs: number): Promise<boolean>;
}

/** The dependencies for purging pages with changed content; without a purger nothing is called. */
export interface Purging {
  readonly site: { readonly id: string };
  readonly db: Database;
  readonly purger: CachePurger | null;
  /** Leaves the purge to its workflow: for a worker, which has no request to purge in. */
  readonly byWorkflow?: boolean;
}

const purgeRow = z.object({
  urls: z.array(z.string()),
  keys: z.array(z.string()),
  pages: stalePagesRow.nullable(),
});

export const cachePurges = deferredEffect(
  {
    table: sql.fragment`cache_purges`,
    columns: sql.fragment`urls, keys, pages`,
    target: sql.fragment`jsonb_build_object('urls', urls, 'keys', keys, 'pages', pages)`,
  },
  purgeRow,
  (purgeId, siteId) => workflowMessage('cache-purge', { purgeId, siteId }),
);

/** The members of an article that say which pages show it. */
interface PurgedArticle {
  readonly id: string;
  readonly slug: string | null;
  readonly category_id: string | null;
  readonly author_id: string | null;
  readonly tag_ids: readonly string[];
}

/**
 * Purges the pages with articles, after the commit: their pages, those of their terms, feeds and the sitemap.
 *
 * @param articles before and after the change
 */
export const purgeArticles = (
  tx: Effects,
  purging: Purging,
  articles: readonly PurgedArticle[],
  now: Date,
): void =>
  purge(
    tx,
    purging,
    {
      slugs: articles.map(({ slug }) => slug).filter((slug) => slug !== null),
      categories: articles.map(({ category_id: id }) => id).filter((id) => id !== null),
      authors: articles.map(({ author_id: id }) => id).filter((id) => id !== null),
      tags: articles.flatMap(({ tag_ids: ids }) => ids),
      keys: [
        cacheKey(purging.site.id, 'content'),
        ...articles.map(({ id }) => cacheKey(purging.site.id, `article ${id}`)),
      ],
      files: true,
    },
    now,
  );

/** Purges the pages of articles whose comments have changed. */
export const purgeComments = (
  tx: Effects,
  purging: Purging,
  articleIds: readonly string[],
  now: Date,
): void =>
  purge(
    tx,
    purging,
    { articles: articleIds, keys: articleIds.map((id) => cacheKey(purging.site.id, `article ${id}`)) },
    now,
  );

/** A category, a tag or an author that has another name or slug. */
interface ChangedTerm {
  readonly kind: NamedTerm['kind'];
  readonly id: string;
  /** Before and after the change. */
  readonly slugs: readonly string[];
  /** Whether published articles have it. */
  readonly used: boolean;
}

/** What has no page but is shown with articles everywhere: the name of a term, in the feeds of other terms too. */
const keysOfTerms = (siteId: string): readonly string[] => [
  cacheKey(siteId, 'content'),
  cacheKey(siteId, 'terms'),
];

/** The feeds of every term of a Site. */
const feedsOfTerms = { paths: [], of: null, after: beforeTerms } as const satisfies StalePages;

/**
 * Purges the pages with a category, a tag or an author: its pages and feeds, those of the Site and of other terms, and the
 * pages of its articles.
 */
export function purgeTerm(
  tx: Effects,
  purging: Purging,
  { kind, id, slugs, used }: ChangedTerm,
  now: Date,
): void {
  const keys = keysOfTerms(purging.site.id);
  purge(tx, purging, { terms: slugs.map((slug) => ({ kind, slug })), keys, files: true }, now);
  if (!used) return;
  purgePages(tx, purging, { paths: null, of: { kind, id }, after: null }, now);
  purgePages(tx, purging, feedsOfTerms, now);
}

/** The most articles whose pages are named at once. */
const ARTICLES = 500;

/** Purges the pages with a deleted term. @param articles that had it: they cannot be found any more */
export function purgeDeletedTerm(
  tx: Effects,
  purging: Purging,
  term: NamedTerm,
  articles: readonly string[],
  now: Date,
): void {
  const few = articles.length <= ARTICLES;
  const keys = few ? articles.map((id) => cacheKey(purging.site.id, `article ${id}`)) : [];
  const stale = { terms: [term], articles: few ? articles : [], files: true };
  purge(tx, purging, { ...stale, keys: [...keysOfTerms(purging.site.id), ...keys] }, now);
  if (!few) purgePages(tx, purging, { paths: null, of: null, after: null }, now);
  else if (articles.length > 0) purgePages(tx, purging, feedsOfTerms, now);
}

/**
 * Purges everything of a Site that has other settings.
 *
 * @param paths of its pages, before and after; none if they have not changed
 */
export function purgeSite(
  tx: Effects,
  purging: Purging,
  paths: Exclude<StalePages['paths'], null>,
  now: Date,
): void {
  const keys = [cacheKey(purging.site.id, 'site'), cacheKey(purging.site.id, 'content')];
  purge(tx, purging, { keys, files: true }, now);
  // Without other paths, only the feeds of terms are left.
  const after = paths.length === 0 ? beforeTerms : null;
  purgePages(tx, purging, { paths, of: null, after }, now);
}

function purge(
  tx: Effects,
  { site, db, purger, byWorkflow = false }: Purging,
  stale: Partial<Stale>,
  now: Date,
): void {
  if (purger === null) return;
  tx.gather(`purge ${site.id}`, [{ ...nothingStale, ...stale }], (effects, all: readonly Stale[]) => {
    const { urls, keys } = staleAddresses(site.id, purger.publicUrl, all);
    const values = sql.fragment`${urls}, ${keys}, null::jsonb`;
    cachePurges.defer(
      { tx: effects, db, siteId: site.id, now },
      values,
      byWorkflow ? null : (target, timeoutMs) => purger.purge(target, timeoutMs),
    );
  });
}

/** Leaves pages that may be many to the workflow. */
function purgePages(tx: Effects, { site, db, purger }: Purging, pages: StalePages, now: Date): void {
  if (purger === null) return;
  const none = array([], 'text');
  const values: FragmentSqlToken = sql.fragment`${none}, ${none}, ${json(pages)}::jsonb`;
  cachePurges.defer({ tx, db, siteId: site.id, now }, values, null);
}
