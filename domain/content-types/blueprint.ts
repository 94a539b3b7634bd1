import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';

/** The structured blocks of an article that a format may require (docs/spec/service-api.md, Content type). */
export const blocks = ['howto_steps', 'key_takeaways', 'comparison', 'faqs'] as const;

export const blueprint = z.object({
  requires: z.array(z.enum(blocks)),
  sections: z.array(
    z.object({
      heading: z.string(),
      guidance: z.string(),
      min_words: z.number().optional(),
      max_words: z.number().optional(),
    }),
  ),
});

/** The requirements of a format: the blocks that must be filled, and its outline. */
export type Blueprint = z.infer<typeof blueprint>;

/** The format of an article that has none. */
const DEFAULT_KEY = 'article';

const blueprintRow = z.object({ blueprint });

/**
 * The requirements of this format. A Site's format takes precedence over the platform's format with the
 * same key, even if the article refers to the platform's; one that is switched off does not.
 *
 * @param formatId of the article, or null
 */
export async function findBlueprint(
  db: Queryable,
  siteId: string,
  formatId: string | null,
): Promise<Blueprint> {
  const named =
    formatId === null
      ? sql.fragment`key = ${DEFAULT_KEY} and site_id is null`
      : sql.fragment`id = ${formatId} and (site_id = ${siteId} or site_id is null)`;
  const row = await db.one(sql.type(blueprintRow)`
    with named as (select id, key from content_types where ${named})
    select t.blueprint from content_types t join named n
      on t.id = n.id or (t.site_id = ${siteId} and t.key = n.key and t.is_active)
    order by t.site_id is null limit 1`);
  return row.blueprint;
}
