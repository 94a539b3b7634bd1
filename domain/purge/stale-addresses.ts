import { array, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { publicFolder } from '../media/reservation.ts';
import type { NamedTerm } from './public-urls.ts';

/** The pages that a change has made stale. */
export interface Stale {
  /** Of articles. */
  readonly slugs: readonly string[];
  /** Ids of articles whose slugs are not known. */
  readonly articles: readonly string[];
  /** Ids of terms. */
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  readonly terms: readonly NamedTerm[];
  readonly keys: readonly string[];
  /** Whether the files of the whole Site are stale. */
  readonly files: boolean;
}

export const nothingStale: Stale = {
  slugs: [],
  articles: [],
  categories: [],
  tags: [],
  authors: [],
  terms: [],
  keys: [],
  files: false,
};

/** The files of a Site that show its articles. */
const siteFiles = ['rss.xml', 'atom.xml', 'feed.json', 'sitemap.xml', 'llms.txt'];
/** The files of a category, a tag or an author. */
export const termFiles = ['rss.xml', 'atom.xml', 'feed.json'];

/** Pages of a part of a sitemap. */
const PART = 10_000;
/**
 * A Site with as many articles may have a sitemap in parts: an article with 100 tags, a category and an author has 103
 * pages. Some more parts are named than there may be.
 */
const SEVERAL_PARTS = Math.floor(PART / 103);

const texts = (all: readonly Stale[], of: (stale: Stale) => readonly string[]) =>
  array([...new Set(all.flatMap(of))], 'text');
const ids = (all: readonly Stale[], of: (stale: Stale) => readonly string[]) =>
  array([...new Set(all.flatMap(of))], 'uuid');

/**
 * The addresses and the keys of stale pages, as two arrays of SQL. The database completes them: only it knows the
 * slugs of terms, and the paths of the Site's pages.
 */
export function staleAddresses(
  siteId: string,
  publicUrl: string,
  all: readonly Stale[],
): { readonly urls: FragmentSqlToken; readonly keys: FragmentSqlToken } {
  const base = `${publicUrl}/${publicFolder(siteId)}`;
  const terms = sql.fragment`
    select 'category' as kind, slug from categories where id = any(${ids(all, (one) => one.categories)})
    union select 'tag', slug from tags where id = any(${ids(all, (one) => one.tags)})
    union select 'author', slug from authors where id = any(${ids(all, (one) => one.authors)})
    union select named.kind, named.slug from unnest(
      ${array(
        all.flatMap((one) => one.terms.map(({ kind }) => kind)),
        'text',
      )},
      ${array(
        all.flatMap((one) => one.terms.map(({ slug }) => slug)),
        'text',
      )}) as named (kind, slug)`;
  const pages = sql.fragment`
    select 'article' as kind, slug from unnest(${texts(all, (one) => one.slugs)}) as slug
    union select 'article', slug from articles
      where id = any(${ids(all, (one) => one.articles)}) and status = 'published'
    union ${terms}`;
  const files = array(all.some((one) => one.files) ? siteFiles : [], 'text');
  return {
    urls: sql.fragment`array(
      select 'https://' || s.domain || replace(s.url_paths ->> p.kind, '{slug}', p.slug)
      from sites s, (${pages}) p where s.id = ${siteId}
      union all select ${base}::text || '/' || t.kind || '/' || t.slug || '/' || file
      from (${terms}) t, unnest(${array(termFiles, 'text')}) as file
      union all select ${base}::text || '/' || file from unnest(${files}) as file
      union all select ${base}::text || '/sitemap-' || kind || '-' || number || '.xml'
      from site_usage u, unnest(array['article', 'category', 'tag', 'author']) as kind,
        generate_series(1, case when kind = 'article' then ceil(u.documents / ${PART}::numeric)::int else 1 end) as number
      where u.site_id = ${siteId} and u.documents >= ${SEVERAL_PARTS} and cardinality(${files}) > 0)`,
    keys: sql.fragment`array(
      select key from unnest(${texts(all, (one) => one.keys)}) as key
      union select left(encode(sha256(convert_to('cache ' || ${siteId}::text || ' ' || t.kind || ' ' || t.slug, 'UTF8')), 'hex'), 20)
      from (${terms}) t)`,
  };
}
