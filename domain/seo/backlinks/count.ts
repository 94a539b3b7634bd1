import { z } from 'zod';
import type { Queryable } from '../../../db/statements.ts';
import { array, sql } from '../../../db/sql.ts';

const countRow = z.object({ count: z.number() });

/** How many imported links a Site has, or how many of them lead to these articles. */
export async function countBacklinks(
  db: Queryable,
  siteId: string,
  articleIds: readonly string[] | undefined,
): Promise<number> {
  const { count } = await db.one(sql.type(countRow)`
    select count(*)::int as count from backlinks b where b.site_id = ${siteId}
      and ${articleIds === undefined ? sql.fragment`true` : sql.fragment`b.article_id = any(${array(articleIds, 'uuid')})`}`);
  return count;
}
