import { array, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { articleWordsOf } from './words.ts';

/** The most words of a text that are looked for, and the most articles that count for each. */
const WORDS = 30;
const HITS = sql.fragment`2000`;
/** The most letters of a word in the index (search_keys of the migrations). */
const KEY_LETTERS = 40;

/**
 * Selects as `id` and `weight` the articles of a Site, of every status, that share most words with a text: a word counts the
 * more, the fewer articles have it. Unlike a search, none of the words has to occur.
 */
export function nearestArticles(siteId: string, text: string): FragmentSqlToken {
  const words = [...new Set(articleWordsOf(text).trim().split(' '))].filter((word) => word !== '');
  const asked = array(words.slice(0, WORDS), 'text');
  // Words consist of letters and digits, so that nothing in them has a meaning in a query of the index, or in a pattern.
  return sql.fragment`
    select id, sum(weight) as weight from (
      select id, 1.0 / count(*) over (partition by word) as weight
      from unnest(${asked}) as asked (word) cross join lateral (
        (
          select s.article_id as id from article_search s
          where s.indexed and not s.many
            and search_keys(s.site_id, s.words) @@
              ('''' || right(${siteId}::text, 12) || left(asked.word, ${KEY_LETTERS}::int) || '''')::tsquery
          limit ${HITS}
        )
        union all (
          select s.article_id from article_search s
          where s.site_id = ${siteId}::uuid and not s.indexed and s.words like '% ' || asked.word || ' %' limit ${HITS}
        )
        union all (
          select s.article_id from article_search s
          where s.site_id = ${siteId}::uuid and s.many and s.indexed and s.words like '% ' || asked.word || ' %'
          limit ${HITS}
        )
      ) hits
    ) found group by id`;
}
