import { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { pageKinds, urlPathsRow } from '../purge/public-urls.ts';
import type { PageKind } from '../purge/public-urls.ts';
import { publicVersion } from './public-site.ts';

/** The most addresses of one file (docs/spec/rulings.md, 20). */
const URLS = 10_000;

const pageRow = z.object({
  kind: z.enum(pageKinds),
  slug: z.string(),
  modified: z.iso.datetime({ offset: true }).nullable(),
});

const blog = { version: z.string(), domain: z.string(), url_paths: urlPathsRow };

const sitemapRow = z.object({
  ...blog,
  /** How many pages of each kind there are. */
  counts: z.object({ article: z.number(), category: z.number(), tag: z.number(), author: z.number() }),
  /** null if there are too many for one file. */
  pages: z.array(pageRow).nullable(),
});
const partRow = z.object({ ...blog, pages: z.array(pageRow) });

export type Sitemap = z.infer<typeof sitemapRow>;
export type SitemapPart = z.infer<typeof partRow>;

const pagesOfTerms = (table: FragmentSqlToken, kind: PageKind): FragmentSqlToken => sql.fragment`
  select ${kind}::text as kind, t.slug, null::timestamptz as modified, null::timestamptz as published_at, t.id
  from ${table} t where t.site_id = s.id and t.published_article_count > 0`;

/** The public pages of the Site `s`: of its published articles, and of the terms that they have. */
const pagesOf: Readonly<Record<PageKind, FragmentSqlToken>> = {
  article: sql.fragment`
    select 'article' as kind, a.slug, greatest(a.published_at, a.content_updated_at) as modified, a.published_at, a.id
    from articles a where a.site_id = s.id and a.status = 'published'`,
  category: pagesOfTerms(sql.fragment`categories`, 'category'),
  tag: pagesOfTerms(sql.fragment`tags`, 'tag'),
  author: pagesOfTerms(sql.fragment`authors`, 'author'),
};

const inOrder = sql.fragment`published_at asc nulls last, id`;

const aggregated = (pages: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  (select coalesce(jsonb_agg(jsonb_build_object('kind', p.kind, 'slug', p.slug, 'modified', p.modified)), '[]')
    from (${pages}) p)`;

/** How many files the pages of a kind take. */
export const partsOf = (count: number): number => Math.ceil(count / URLS);

/** Reads the content of a Site's sitemap, in one statement; null for a Site that does not exist. */
export function readSitemap(db: Queryable, siteId: string): Promise<Sitemap | null> {
  const count = (kind: PageKind) => sql.fragment`(select count(*) from (${pagesOf[kind]}) p)`;
  const all = sql.join(
    pageKinds.map((kind) => pagesOf[kind]),
    sql.fragment` union all `,
  );
  return db.maybeOne(sql.type(sitemapRow)`
    select ${publicVersion} as version, s.domain, s.url_paths,
      jsonb_build_object('article', n.article, 'category', n.category, 'tag', n.tag, 'author', n.author) as counts,
      case when n.article + n.category + n.tag + n.author <= ${URLS}
        then ${aggregated(sql.fragment`select * from (${all}) every order by ${inOrder}`)} end as pages
    from sites s
    cross join lateral (
      select ${count('article')} as article, ${count('category')} as category, ${count('tag')} as tag,
        ${count('author')} as author
    ) n
    where s.id = ${siteId} and s.deleting_since is null`);
}

/**
 * Reads the content of a part of a sitemap, in one statement; null for a Site that does not exist.
 *
 * @param number from 1
 */
export const readSitemapPart = (
  db: Queryable,
  siteId: string,
  kind: PageKind,
  number: number,
): Promise<SitemapPart | null> =>
  db.maybeOne(sql.type(partRow)`
    select ${publicVersion} as version, s.domain, s.url_paths,
      ${aggregated(sql.fragment`
        select * from (${pagesOf[kind]}) every order by ${inOrder}
        offset ${(number - 1) * URLS} limit ${URLS}`)} as pages
    from sites s where s.id = ${siteId} and s.deleting_since is null`);
