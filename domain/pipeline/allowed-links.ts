import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Article } from '../articles/row.ts';
import { homeUrl, publicUrl, slugOf, urlPathsRow } from '../purge/public-urls.ts';
import { comparable } from './sources.ts';

/** The pages of a Site that a text may link to. */
const kinds = ['article', 'category', 'tag'] as const;
type Kind = (typeof kinds)[number];

const blogRow = z.object({ domain: z.string(), url_paths: urlPathsRow });
const pageRow = z.object({ kind: z.enum(kinds), slug: z.string(), shown: z.boolean() });

/**
 * Those of the links in a written text that may stay (docs/spec/rulings.md, 25): to what the Site has published, and to
 * its sources. A person's links elsewhere stay, too.
 *
 * @param targets as the text has them; relative ones lead on from the article's page
 * @param earlier those that the text had before it was written anew
 */
export async function allowedLinks(
  db: Queryable,
  siteId: string,
  { slug, sources }: Pick<Article, 'slug' | 'sources'>,
  targets: readonly string[],
  earlier: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (targets.length === 0) return [];
  const blog = await db.one(sql.type(blogRow)`select domain, url_paths from sites where id = ${siteId}`);
  const page = slug === null ? homeUrl(blog) : publicUrl(blog, 'article', slug);
  const links = targets.flatMap((target) => {
    const url = URL.parse(target, page);
    if (url === null) return [];
    const slugs = Object.fromEntries(kinds.map((kind) => [kind, slugOf(blog, kind, url.href)]));
    return [{ target, url, slugs: slugs as Record<Kind, string | null> }];
  });
  const named = (kind: Kind) => links.flatMap(({ slugs }) => slugs[kind] ?? []);
  const pages = new Map<string, boolean>();
  for (const row of await db.any(sql.type(pageRow)`
    select 'article' as kind, slug, status = 'published' as shown from articles
    where site_id = ${siteId} and slug = any(${array(named('article'), 'text')})
    union all
    select 'category', t.slug, ${isUsed(sql.fragment`a.category_id = t.id`)} from categories t
    where t.site_id = ${siteId} and t.slug = any(${array(named('category'), 'text')})
    union all
    select 'tag', t.slug, ${isUsed(sql.fragment`a.id in (select x.article_id from article_tags x where x.tag_id = t.id)`)}
    from tags t where t.site_id = ${siteId} and t.slug = any(${array(named('tag'), 'text')})`))
    pages.set(`${row.kind} ${row.slug}`, row.shown);

  const home = comparable(homeUrl(blog));
  const cited = new Set((sources ?? []).map(({ url }) => comparable(url)));
  return links
    .filter(({ target, url, slugs }) => {
      const found = kinds.flatMap((kind) => pages.get(`${kind} ${slugs[kind]}`) ?? []);
      if (found.length > 0) return found.includes(true);
      const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
      const isOwn = url.host === new URL(home).host;
      const where = comparable(url.href);
      return earlier.has(target) || (isWeb && (isOwn ? url.pathname === '/' : cited.has(where)));
    })
    .map(({ target }) => target);
}

const isUsed = (has: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  exists (select from articles a where a.site_id = t.site_id and a.status = 'published' and ${has})`;
