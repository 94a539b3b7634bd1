import { z } from 'zod';
import { sql, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { aiDisclosures, origins } from '../kernel/origins.ts';
import { articleRow } from '../articles/row.ts';
import { urlPathsRow } from '../purge/public-urls.ts';
import type { NamedTerm } from '../purge/public-urls.ts';
import { feedContents } from '../sites/settings.ts';
import { publicVersion } from './public-site.ts';

/** The newest articles of a feed (docs/spec/rulings.md, 20). */
const ENTRIES = 50;
/** The most bytes of all contents in a feed. Articles beyond it are shown by their excerpts. */
const CONTENT_BYTES = 1_000_000;

const named = z.object({ name: z.string(), slug: z.string() });
const time = z.iso.datetime({ offset: true });

const entryRow = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  excerpt: z.string().nullable(),
  featured_image_url: z.string().nullable(),
  published_at: time,
  updated_at: time,
  category: named.nullable(),
  author: named.nullable(),
  tags: z.array(named),
  content: z.string().nullable(),
  origin: z.enum(origins),
  sources: articleRow.shape.sources,
});

const feedRow = z.object({
  version: z.string(),
  name: z.string(),
  domain: z.string(),
  locale: z.string(),
  url_paths: urlPathsRow,
  feed_content: z.enum(feedContents),
  ai_disclosure: z.enum(aiDisclosures),
  created_at: timestamp,
  /** null for the feed of the whole Site. */
  term: named.nullable(),
  entries: z.array(entryRow),
});

export type FeedEntry = z.infer<typeof entryRow>;
export type Feed = z.infer<typeof feedRow>;

const terms: Readonly<Record<NamedTerm['kind'], { table: FragmentSqlToken; has: FragmentSqlToken }>> = {
  category: { table: sql.fragment`categories`, has: sql.fragment`a.category_id = term.id` },
  author: { table: sql.fragment`authors`, has: sql.fragment`a.author_id = term.id` },
  tag: {
    table: sql.fragment`tags`,
    has: sql.fragment`a.id in (select article_id from article_tags where site_id = s.id and tag_id = term.id)`,
  },
};

const pair = (table: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`jsonb_build_object('name', ${table}.name, 'slug', ${table}.slug)`;

/**
 * Reads the content of a feed, with its version, in one statement.
 *
 * @returns null for a Site or a term that does not exist
 */
export function readFeed(db: Queryable, siteId: string, wanted: NamedTerm | null): Promise<Feed | null> {
  const term = wanted === null ? null : terms[wanted.kind];
  const join =
    term === null
      ? sql.fragment``
      : sql.fragment`join ${term.table} term on term.site_id = s.id and term.slug = ${wanted?.slug ?? null}`;
  return db.maybeOne(sql.type(feedRow)`
    select ${publicVersion} as version, s.name, s.domain, s.locale, s.url_paths, s.feed_content, s.ai_disclosure,
      s.created_at,
      ${term === null ? sql.fragment`null::jsonb` : pair(sql.fragment`term`)} as term,
      (select coalesce(jsonb_agg(to_jsonb(e) order by e.published_at desc, e.id desc), '[]') from (
        select a.id, a.slug, a.title, coalesce(a.excerpt, a.seo_description) as excerpt, a.featured_image_url,
          a.origin, a.published_at, greatest(a.published_at, a.content_updated_at) as updated_at,
          (select ${pair(sql.fragment`c`)} from categories c where c.id = a.category_id) as category,
          (select ${pair(sql.fragment`u`)} from authors u where u.id = a.author_id) as author,
          (select coalesce(jsonb_agg(${pair(sql.fragment`t`)} order by t.name, t.id), '[]')
            from article_tags x join tags t on t.id = x.tag_id where x.article_id = a.id) as tags,
          case when s.feed_content = 'full'
              and sum(octet_length(a.content)) over (order by a.published_at desc, a.id desc) <= ${CONTENT_BYTES}
            then a.content end as content,
          case when s.feed_content = 'full' then a.sources end as sources
        from (
          select * from articles a
          where a.site_id = s.id and a.status = 'published' and ${term?.has ?? sql.fragment`true`}
          order by a.published_at desc nulls last, a.id desc limit ${ENTRIES}
        ) a
      ) e) as entries
    from sites s ${join} where s.id = ${siteId} and s.deleting_since is null`);
}
