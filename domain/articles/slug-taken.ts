import { z } from 'zod';
import { sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';

const takenRow = z.object({ taken: z.boolean() });

/** Whether an article of the Site has a slug at the moment. Only the constraint keeps it from being taken later. */
export async function isSlugTaken(db: Queryable, siteId: string, slug: string): Promise<boolean> {
  const { taken } = await db.one(sql.type(takenRow)`
    select exists (select from articles where site_id = ${siteId} and slug = ${slug}) as taken`);
  return taken;
}
