import { array, at, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { foundIds } from '../search/found-ids.ts';
import { matches } from '../search/search.ts';
import type { Search } from '../search/search.ts';
import type { Origin } from '../kernel/origins.ts';
import type { ArticleStatus } from './row.ts';

export const articleOrders = [
  'updated_at.desc',
  'updated_at.asc',
  'published_at.desc',
  'published_at.asc',
  'created_at.desc',
] as const;

export type ArticleOrder = (typeof articleOrders)[number];

export interface ArticleFilters {
  readonly status?: readonly ArticleStatus[] | undefined;
  readonly origin?: readonly Origin[] | undefined;
  readonly category_id?: string | undefined;
  readonly author_id?: string | undefined;
  readonly tag_id?: string | undefined;
  readonly slug?: string | undefined;
  readonly updated_since?: Date | undefined;
  readonly external_id?: string | undefined;
  /** A search as the client wrote it. */
  readonly q?: string | undefined;
}

/** Whether the filters exclude every article that is not published. */
export const isPublishedOnly = ({ status }: ArticleFilters): boolean =>
  status?.every((each) => each === 'published') ?? false;

export const orderBy: Readonly<Record<ArticleOrder, FragmentSqlToken>> = {
  'updated_at.desc': sql.fragment`a.updated_at desc, a.id desc`,
  'updated_at.asc': sql.fragment`a.updated_at asc, a.id asc`,
  'published_at.desc': sql.fragment`a.published_at desc nulls last, a.id desc`,
  'published_at.asc': sql.fragment`a.published_at asc nulls last, a.id asc`,
  'created_at.desc': sql.fragment`a.created_at desc, a.id desc`,
};

/** A position in a list, of values or of parameters. */
export interface After {
  readonly key: string | FragmentSqlToken | null;
  readonly id: string | FragmentSqlToken;
}

/** The constant limit (maximum page size + 1) keeps the index plan. */
const PAGE = sql.fragment`101`;

/**
 * Selects at most `count` articles after a position, in an order.
 *
 * @param columns of the table `a`
 * @param where conditions of the table `a`
 * @param publishedOnly whether they exclude every article that is not published
 * @param most a constant that `count` does not exceed
 */
export function articleRows(
  order: ArticleOrder,
  columns: FragmentSqlToken,
  where: readonly FragmentSqlToken[],
  publishedOnly: boolean,
  after: After | null,
  count: number | FragmentSqlToken,
  most = PAGE,
): FragmentSqlToken {
  const part = (keyset: FragmentSqlToken | null) => {
    const all = sql.join(keyset === null ? where : [...where, keyset], sql.fragment` and `);
    // The planner assumes that an unknown LIMIT returns a tenth of the table.
    return sql.fragment`
      select * from (
        select ${columns}, a.xmin as row_version from articles a where ${all} order by ${orderBy[order]} limit ${most}
      ) a limit (select ${count}::int)
    `;
  };
  if (after === null) return part(null);
  const { column, following } = afterPosition(order, after);
  if (after.key === null || !order.startsWith('published_at') || publishedOnly) return part(following);
  // Rows without a `published_at` come last in both directions, which a row comparison cannot express. A page after a
  // published row is therefore read as two parts, each by its index: the remaining published rows, then the first
  // unpublished ones.
  return sql.fragment`
    select * from ((${part(following)}) union all (${part(sql.fragment`${column} is null`)})) a
    order by ${orderBy[order]} limit ${count}::int
  `;
}

/** The column of an order, and the condition for rows after a position that have a value there as the position has. */
function afterPosition(order: ArticleOrder, after: After) {
  const column = sql.fragment`a.${sql.identifier([order.slice(0, order.indexOf('.'))])}`;
  const comparison = order.endsWith('.desc') ? sql.fragment`<` : sql.fragment`>`;
  const following =
    after.key === null
      ? sql.fragment`${column} is null and a.id ${comparison} ${after.id}::uuid`
      : sql.fragment`(${column}, a.id) ${comparison} (${after.key}::timestamptz, ${after.id}::uuid)`;
  return { column, following };
}

/** Selects like `articleRows` the articles that a search finds. */
export function searchedRows(
  search: Search,
  siteId: string,
  order: ArticleOrder,
  columns: FragmentSqlToken,
  where: readonly FragmentSqlToken[],
  publishedOnly: boolean,
  after: After | null,
  count: number,
): FragmentSqlToken {
  const sorted = sql.fragment`a.id, a.updated_at, a.published_at, a.created_at`;
  const conditionsOfRow = [...where, ...(after === null ? [] : [isAfter(order, after)])];
  const ids = foundIds(
    search,
    {
      walk: (condition, most) =>
        articleRows(order, sorted, [...where, condition], publishedOnly, after, most, most),
      order: orderBy[order],
      row: (id) => sql.fragment`
        select ${sorted} from articles a
        where a.id = ${id} and ${sql.join(conditionsOfRow, sql.fragment` and `)}`,
      // Joined to nothing, so that a text that is stored apart is read once.
      words: sql.fragment`select s.words || '' as words from article_search s where s.article_id = a.id`,
      hits: (condition) => sql.fragment`
        select s.article_id as id from article_search s
        where s.indexed and not s.many and search_keys(s.site_id, s.words) @@ ${search.keys}::tsquery and ${condition}
        union all
        select s.article_id from article_search s
        where s.site_id = ${siteId}::uuid and not s.indexed and ${condition}
          and ${matches(search, sql.fragment`s.words`)}
        union all
        select s.article_id from article_search s
        where s.site_id = ${siteId}::uuid and s.many and s.indexed and ${condition}
          and ${matches(search, sql.fragment`s.words`)}`,
    },
    count,
  );
  return sql.fragment`
    select ${columns}, a.xmin as row_version from (${ids}) found cross join lateral (
      select a.*, a.xmin from articles a where a.id = found.id offset 0
    ) a order by ${orderBy[order]}`;
}

/** The condition for rows after a position, if they are not read in the order. */
function isAfter(order: ArticleOrder, after: After): FragmentSqlToken {
  const { column, following } = afterPosition(order, after);
  return after.key !== null && order.startsWith('published_at')
    ? sql.fragment`(${following} or ${column} is null)`
    : following;
}

/** Conditions of the table `a`. */
export function conditions(siteId: string, filters: ArticleFilters): FragmentSqlToken[] {
  const where = [sql.fragment`a.site_id = ${siteId}::uuid`];
  const { status, origin, category_id, author_id, tag_id, slug, updated_since, external_id } = filters;
  if (status?.length === 1) where.push(sql.fragment`a.status = ${status[0] as string}::text`);
  else if (status) where.push(sql.fragment`a.status = any(${array(status, 'text')})`);
  if (origin) {
    where.push(sql.fragment`a.origin = any(${array(origin, 'text')})`);
    // Says that the index of those articles has all of them.
    if (!origin.includes('person')) where.push(sql.fragment`a.origin <> 'person'`);
  }
  if (category_id !== undefined) where.push(sql.fragment`a.category_id = ${category_id}::uuid`);
  if (author_id !== undefined) where.push(sql.fragment`a.author_id = ${author_id}::uuid`);
  if (tag_id !== undefined) {
    where.push(sql.fragment`exists (
      select from article_tags t where t.site_id = ${siteId}::uuid and t.tag_id = ${tag_id}::uuid and t.article_id = a.id
    )`);
  }
  if (slug !== undefined) where.push(sql.fragment`a.slug = ${slug}::text`);
  if (updated_since !== undefined)
    where.push(sql.fragment`a.updated_at >= ${at(updated_since)}::timestamptz`);
  if (external_id !== undefined) where.push(sql.fragment`a.external_id = ${external_id}::text`);
  return where;
}
