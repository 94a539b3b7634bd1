import { array, at, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
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
  readonly category_id?: string | undefined;
  readonly author_id?: string | undefined;
  readonly tag_id?: string | undefined;
  readonly slug?: string | undefined;
  readonly updated_since?: Date | undefined;
  readonly external_id?: string | undefined;
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
interface After {
  readonly key: string | FragmentSqlToken | null;
  readonly id: string | FragmentSqlToken;
}

/**
 * Selects at most `count` articles after a position, in an order.
 *
 * @param columns of the table `a`
 * @param where conditions of the table `a`
 * @param publishedOnly whether they exclude every article that is not published
 */
export function articleRows(
  order: ArticleOrder,
  columns: FragmentSqlToken,
  where: readonly FragmentSqlToken[],
  publishedOnly: boolean,
  after: After | null,
  count: number | FragmentSqlToken,
): FragmentSqlToken {
  const part = (keyset: FragmentSqlToken | null) => {
    const all = sql.join(keyset === null ? where : [...where, keyset], sql.fragment` and `);
    // The planner assumes that an unknown LIMIT returns a tenth of the table. The constant limit (maximum page size +
    // 1) keeps the index plan.
    return sql.fragment`
      select * from (
        select ${columns}, a.xmin as row_version from articles a where ${all} order by ${orderBy[order]} limit 101
      ) a limit (select ${count}::int)
    `;
  };
  if (after === null) return part(null);
  const column = sql.fragment`a.${sql.identifier([order.slice(0, order.indexOf('.'))])}`;
  const comparison = order.endsWith('.desc') ? sql.fragment`<` : sql.fragment`>`;
  if (after.key === null)
    return part(sql.fragment`${column} is null and a.id ${comparison} ${after.id}::uuid`);
  const following = sql.fragment`(${column}, a.id) ${comparison} (${after.key}::timestamptz, ${after.id}::uuid)`;
  if (!order.startsWith('published_at') || publishedOnly) return part(following);
  // Rows without a `published_at` come last in both directions, which a row comparison cannot express. A page after a
  // published row is therefore read as two parts, each by its index: the remaining published rows, then the first
  // unpublished ones.
  return sql.fragment`
    select * from ((${part(following)}) union all (${part(sql.fragment`${column} is null`)})) a
    order by ${orderBy[order]} limit ${count}::int
  `;
}

/** Conditions of the table `a`. */
export function conditions(siteId: string, filters: ArticleFilters): FragmentSqlToken[] {
  const where = [sql.fragment`a.site_id = ${siteId}::uuid`];
  const { status, category_id, author_id, tag_id, slug, updated_since, external_id } = filters;
  if (status?.length === 1) where.push(sql.fragment`a.status = ${status[0] as string}::text`);
  else if (status) where.push(sql.fragment`a.status = any(${array(status, 'text')})`);
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
