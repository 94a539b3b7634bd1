import { z } from 'zod';
import type { Queryable } from '../../../db/statements.ts';
import { array, sql } from '../../../db/sql.ts';

const sharedRow = z.object({
  article_id: z.string(),
  other_id: z.string(),
  title: z.string().nullable(),
  /** The first ones that they share, cut at a length that no keyword needs. */
  keywords: z.array(z.string()),
  /** How many articles share keywords with this one. */
  others: z.number(),
});

/** Two articles with keywords in common, without regard to case and white space. */
export type SharedKeywords = z.infer<typeof sharedRow>;

const KEYWORDS = 20;
const KEYWORD_LENGTH = 100;

/** The keywords of an article `a`, each once. */
const keywordsOf = sql.fragment`(
  select distinct lower(btrim(regexp_replace(k.word, '\\s+', ' ', 'g'))) as word
  from jsonb_array_elements_text(
    case jsonb_typeof(a.seo_keywords) when 'array' then a.seo_keywords else '[]' end
  ) as k (word)
)`;

/**
 * The published articles that share keywords with one of these, those with most of them first.
 *
 * @param most articles for each of these
 */
export const readSharedKeywords = (
  db: Queryable,
  siteId: string,
  ids: readonly string[],
  most: number,
): Promise<readonly SharedKeywords[]> =>
  db.any(sql.type(sharedRow)`
    with mine as materialized (
      select a.id, k.word from articles a cross join lateral ${keywordsOf} k
      where a.site_id = ${siteId} and a.id = any(${array(ids, 'uuid')}) and k.word <> ''
    ), pair as (
      select mine.id as article_id, a.id as other_id, count(*) as common
      from articles a
      cross join lateral ${keywordsOf} k
      join mine on mine.word = k.word and mine.id <> a.id
      where a.site_id = ${siteId} and a.status = 'published'
      group by mine.id, a.id
    ), ranked as (
      select p.article_id, p.other_id, (count(*) over (partition by p.article_id))::int as others,
        row_number() over (partition by p.article_id order by p.common desc, p.other_id) as place
      from pair p
    )
    select r.article_id, r.other_id, a.title, shared.keywords, r.others
    from ranked r
    join articles a on a.id = r.other_id
    cross join lateral (
      select array_agg(left(first.word, ${KEYWORD_LENGTH}) order by first.word) as keywords
      from (
        select k.word from ${keywordsOf} k join mine on mine.id = r.article_id and mine.word = k.word
        order by k.word limit ${KEYWORDS}
      ) first
    ) shared
    where r.place <= ${most}
    order by r.article_id, r.place`);
