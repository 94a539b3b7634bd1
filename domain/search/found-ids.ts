import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { matches } from './search.ts';
import type { Search } from './search.ts';

/**
 * How many rows from the beginning of a list are compared. That finds frequent words, without asking the index for
 * all of them; the more so if that takes the index long.
 */
const REACH = sql.fragment`200`;
const FAR_REACH = sql.fragment`1000`;
/** The most hits that are read one by one and sorted. With more of them the list is read in its order. */
const FEW = 2_000;

/** A list that can be searched. Its rows are called `a`. */
export interface Searched {
  /** Selects at most `most` rows of the list that have a condition in their order, with `id` and their order keys. */
  readonly walk: (condition: FragmentSqlToken, most: FragmentSqlToken) => FragmentSqlToken;
  /** The columns of ORDER BY. */
  readonly order: FragmentSqlToken;
  /** Selects the row with an id, with the columns of `walk`, if it is on the list. */
  readonly row: (id: FragmentSqlToken) => FragmentSqlToken;
  /** Selects `words` of the row `a`. */
  readonly words: FragmentSqlToken;
  /** Selects as `id` the index's proposals, if a condition holds. */
  readonly hits: (condition: FragmentSqlToken) => FragmentSqlToken;
}

/**
 * Selects the ids of at most `count` rows of a list that a search finds, the first in its order. One statement has three
 * ways, of which it goes one: through the beginning of the list, comparing words; else from the index to the rows; else
 * through the list with a table of the hits. Each is fast where the others are not (domain/search/README.md).
 */
export function foundIds(search: Search, list: Searched, count: number): FragmentSqlToken {
  const insufficient = sql.fragment`(select not yes from enough)`;
  // A condition that is a case cannot become a join, which would read the whole list.
  const fits = sql.fragment`case when exists (
    select from (${list.words} offset 0) w where ${matches(search, sql.fragment`w.words`)}) then true end`;
  // Only of rows that are on the list, and in its order, because words take longest to read.
  const found = sql.fragment`case when ${search.inexact}::boolean then ${fits} else true end`;
  const reach = sql.fragment`case when ${search.costly}::boolean then ${FAR_REACH} else ${REACH} end`;
  // Rows come in the order of the walk. A sort would read all of it, where its first rows are often enough.
  const isHit = sql.fragment`case when a.id in (select id from hits) then ${found} end`;
  return sql.fragment`
    with first as materialized (
      select a.id from (${list.walk(sql.fragment`true`, reach)}) a
      where ${fits} limit ${count}::int
    ),
    enough as materialized (select count(*) >= ${count}::int as yes from first),
    hits as materialized (${list.hits(insufficient)}),
    few as materialized (select count(*) <= ${FEW}::int as yes from hits)
    select id from first where (select yes from enough)
    union all (
      select a.id from hits h cross join lateral (${list.row(sql.fragment`h.id`)} offset 0) a
      where ${insufficient} and (select yes from few) and ${found}
      order by ${list.order} limit ${count}::int
    )
    union all (
      select a.id from (
        ${list.walk(sql.fragment`${insufficient} and (select not yes from few) and ${isHit}`, sql.fragment`101`)}
      ) a limit ${count}::int
    )`;
}
