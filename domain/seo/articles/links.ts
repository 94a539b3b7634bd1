import { z } from 'zod';
import type { Queryable } from '../../../db/statements.ts';
import { array, sql } from '../../../db/sql.ts';
import { articleSlugOf, homeUrl, publicUrl } from '../../purge/public-urls.ts';
import type { Outline } from './outline.ts';
import type { ScannedArticle, ScannedSite } from './read.ts';

/** A link of an article to the page of an article. */
export interface InternalLink {
  readonly slug: string;
  readonly href: string;
  readonly text: string;
}

/** The links to articles, each slug once. Relative ones are resolved as on the article's own page. */
export function internalLinks(
  site: ScannedSite,
  { slug }: Pick<ScannedArticle, 'slug'>,
  { links }: Pick<Outline, 'links'>,
): readonly InternalLink[] {
  const page = slug === null ? homeUrl(site) : publicUrl(site, 'article', slug);
  const bySlug = new Map<string, InternalLink>();
  for (const { href, text } of links) {
    // A link within the page is none to an article.
    if (href.startsWith('#') || !URL.canParse(href, page)) continue;
    const linked = articleSlugOf(site, new URL(href, page).href);
    if (linked !== null && linked !== slug && !bySlug.has(linked))
      bySlug.set(linked, { slug: linked, href, text });
  }
  return [...bySlug.values()];
}

const slugRow = z.object({ slug: z.string() });

/** Those of the slugs whose articles are published. */
export async function publishedSlugs(
  db: Queryable,
  siteId: string,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.any(sql.type(slugRow)`
    select a.slug from articles a
    where a.site_id = ${siteId} and a.status = 'published' and a.slug = any(${array(slugs, 'text')})`);
  return new Set(rows.map(({ slug }) => slug));
}

const mentionRow = z.object({ id: z.string() });

/** Published articles whose content has one of the slugs where a link would have it; not every one is a link. */
export const readMentions = (
  db: Queryable,
  siteId: string,
  site: Pick<ScannedSite, 'url_paths'>,
  slugs: readonly string[],
  after: string | null,
  count: number,
): Promise<readonly z.infer<typeof mentionRow>[]> => {
  const [path = ''] = site.url_paths.article.split('{slug}', 1);
  const befores = new Set(['/', '(', '"', "'", '<', ': ', path.slice(-1).replace(/[\\%_]/, '\\$&')]);
  // Slugs have no characters that mean something to LIKE.
  const patterns = slugs.flatMap((slug) => [...befores].map((before) => `%${before}${slug}%`));
  return db.any(sql.type(mentionRow)`
    select a.id from articles a
    where a.site_id = ${siteId} and a.status = 'published' and a.content like any(${array(patterns, 'text')})
      and ${after === null ? sql.fragment`true` : sql.fragment`a.id > ${after}`}
    order by a.id limit ${count}`);
};

const relatedRow = z.object({ article_id: z.string(), other_id: z.string(), title: z.string().nullable() });

/** Two articles about the same. */
export type Related = z.infer<typeof relatedRow>;

/** How many tags articles about the same have in common. */
const COMMON_TAGS = 2;

/**
 * The published articles that have tags in common with one of these, those with most of them first.
 *
 * @param most articles for each of these
 */
export const readSharedTags = (
  db: Queryable,
  siteId: string,
  ids: readonly string[],
  most: number,
): Promise<readonly Related[]> =>
  db.any(sql.type(relatedRow)`
    with ranked as (
      select mine.article_id, other.article_id as other_id,
        row_number() over (partition by mine.article_id order by count(*) desc, other.article_id) as place
      from article_tags mine
      join article_tags other on other.tag_id = mine.tag_id and other.article_id <> mine.article_id
      join articles a on a.id = other.article_id and a.status = 'published'
      where mine.site_id = ${siteId} and mine.article_id = any(${array(ids, 'uuid')})
      group by mine.article_id, other.article_id having count(*) >= ${COMMON_TAGS}
    )
    select r.article_id, r.other_id, a.title from ranked r join articles a on a.id = r.other_id
    where r.place <= ${most}
    order by r.article_id, r.place`);
