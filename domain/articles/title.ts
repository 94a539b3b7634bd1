import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';

const titleRow = z.object({ title: z.string().nullable() });

/** The title of an article; null without one, or without the article. */
export async function getArticleTitle(db: Queryable, siteId: string, id: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(titleRow)`
    select title from articles where id = ${id} and site_id = ${siteId}`);
  return row?.title ?? null;
}
