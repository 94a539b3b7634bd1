import { z } from 'zod';
import type { Queryable } from '../../../db/statements.ts';
import { array, sql } from '../../../db/sql.ts';

const sharedRow = z.object({
  article_id: z.string(),
  other_id: z.string(),
  title: z.string().nullable(),
  keywords: z.array(z.string()),
});

/** Two articles with keywords in common, without regard to case and white space. */
export type SharedKeywords = z.infer<typeof sharedRow>;

/** The published articles that share keywords with one of these, those with most of them first. */
export const readSharedKeywords = (
  db: Queryable,
  siteId: string,
  ids: readonly string[],
): Promise<readonly SharedKeywords[]> =>
  db.any(sql.type(sharedRow)`
    with keyword as (
      select distinct a.id, a.title, a.status, lower(btrim(regexp_replace(k.word, '\\s+', ' ', 'g'))) as word
      from articles a
      cross join lateral jsonb_array_elements_text(
        case jsonb_typeof(a.seo_keywords) when 'array' then a.seo_keywords else '[]' end
      ) as k (word)
      where a.site_id = ${siteId} and (a.status = 'published' or a.id = any(${array(ids, 'uuid')}))
    )
    select mine.id as article_id, other.id as other_id, other.title, array_agg(mine.word order by mine.word) as keywords
    from keyword mine
    join keyword other on other.word = mine.word and other.id <> mine.id and other.status = 'published'
    where mine.id = any(${array(ids, 'uuid')}) and mine.word <> ''
    group by mine.id, other.id, other.title
    order by mine.id, count(*) desc, other.id`);
