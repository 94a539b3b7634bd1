import { z } from 'zod';
import { array, sql } from '../../../db/sql.ts';
import type { Queryable } from '../../../db/statements.ts';
import { publicUrl } from '../../purge/public-urls.ts';
import { readBlog } from '../blog.ts';

const pageRow = z.object({ id: z.string(), slug: z.string() });

/** The page of a published article. */
export interface PublicPage {
  readonly id: string;
  readonly url: string;
}

/**
 * The pages of published articles, in the order of their ids.
 *
 * @param after the id after which they begin; null for the first
 * @param among if only some articles are wanted
 */
export async function readPublicPages(
  db: Queryable,
  siteId: string,
  after: string | null,
  count: number,
  among?: readonly string[],
): Promise<readonly PublicPage[]> {
  const blog = await readBlog(db, siteId);
  const rows = await db.any(sql.type(pageRow)`
    select a.id, a.slug from articles a
    where a.site_id = ${siteId} and a.status = 'published'
      and ${after === null ? sql.fragment`true` : sql.fragment`a.id > ${after}`}
      and ${among === undefined ? sql.fragment`true` : sql.fragment`a.id = any(${array(among, 'uuid')})`}
    order by a.id limit ${count}`);
  return rows.map(({ id, slug }) => ({ id, url: publicUrl(blog, 'article', slug) }));
}
