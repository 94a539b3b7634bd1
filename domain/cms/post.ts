import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, sql } from '../../db/sql.ts';
import { articleColumns, articleRow } from '../articles/row.ts';

const named = z.object({ name: z.string(), slug: z.string() });

const postRow = articleRow.extend({
  category: named.nullable(),
  author: named.nullable(),
  tags: z.array(named),
});

/** An article with the names of its category, author and tags. */
export type Post = z.infer<typeof postRow>;

const pairOf = (table: string, id: string) => sql.fragment`
  (select jsonb_build_object('name', t.name, 'slug', t.slug) from ${sql.identifier([table])} t
    where t.id = ${sql.identifier(['a', id])})`;

/** Articles as they are now, by their ids; those that were deleted are missing. */
export async function readPosts(
  db: Queryable,
  siteId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Post>> {
  const rows = await db.any(sql.type(postRow)`
    select ${articleColumns}, ${pairOf('categories', 'category_id')} as category,
      ${pairOf('authors', 'author_id')} as author,
      (select coalesce(jsonb_agg(jsonb_build_object('name', t.name, 'slug', t.slug) order by t.name, t.id), '[]')
        from article_tags x join tags t on t.id = x.tag_id where x.article_id = a.id) as tags
    from articles a where a.id = any(${array(ids, 'uuid')}) and a.site_id = ${siteId}`);
  return new Map(rows.map((post) => [post.id, post]));
}
