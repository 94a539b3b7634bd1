import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Kept, Presentation } from '../../db/revalidated-reads.ts';
import { array, at, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Query } from '../../db/statements.ts';
import type { Site } from '../access/authenticate.ts';
import type { CursorBinding, Position } from '../cursor.ts';
import { pageOf, startOf } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';
import { articleColumns, articleRow } from './article.ts';
import type { Article, ArticleStatus } from './article.ts';

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

/** The members of the default list projection (specification, Article). */
export const defaultProjection = [
  'id',
  'status',
  'title',
  'slug',
  'excerpt',
  'featured_image_url',
  'category_id',
  'author_id',
  'format_id',
  'published_at',
  'scheduled_publish_at',
  'created_at',
  'updated_at',
] as const;

const briefRow = articleRow.pick(Object.fromEntries(defaultProjection.map((name) => [name, true])) as Brief);
type Brief = { [Name in (typeof defaultProjection)[number]]: true };

/** An article as a list reads it: whole, or only the members of the default projection. */
export type ListedArticle = z.infer<typeof briefRow> & Partial<Article>;

const briefColumns = sql.fragment`
  a.id, a.status, a.title, a.slug, a.excerpt, a.featured_image_url, a.category_id, a.author_id, a.format_id,
  a.published_at, a.scheduled_publish_at, a.created_at, a.updated_at
`;

export interface ArticleQuery extends PageRequest {
  readonly order: ArticleOrder;
  readonly filters: ArticleFilters;
  /** Read whole articles, for fields outside the default projection. */
  readonly whole: boolean;
}

/** A keyset page of a Site's articles; each order has its index, no list counts or skips rows. */
export async function listArticles<Answer extends Kept>(
  db: Database,
  site: Site,
  query: ArticleQuery,
  present: Presentation<Page<ListedArticle>, Answer>,
): Promise<Answer> {
  const { binding, statement, shareable } = questionOf(site, query);
  const of = (rows: readonly ListedArticle[]): Answer =>
    present.of(
      pageOf(binding, query, rows, (row) => ({
        key: keyOf(query.order, row)?.toISOString() ?? null,
        id: row.id,
      })),
    );
  return shareable
    ? db.revalidated<ListedArticle, Answer>(statement, { name: present.name, of })
    : of(await db.any<ListedArticle>(statement));
}

/** What a page asks of the database. */
interface Question {
  readonly binding: CursorBinding;
  readonly statement: Query<ListedArticle>;
  readonly shareable: boolean;
}

/** Pages that many readers ask for: to check a cursor and to compose a statement costs a good part of what an answer does. */
const asked = new LRUCache<string, Question>({ max: 500 });

/** @throws ServiceError INVALID_REQUEST for a cursor of another list */
function questionOf(site: Site, query: ArticleQuery): Question {
  const name = JSON.stringify([site.id, query]);
  const known = asked.get(name);
  if (known !== undefined) return known;
  const { cursor: _cursor, limit: _limit, whole: _whole, ...bound } = query;
  const binding = { key: site.cursorKey, query: `articles ${JSON.stringify(canonical(bound))}` };
  const statement = pageStatement(site.id, query, startOf(binding, query));
  const question = { binding, statement, shareable: isShareable(query) };
  if (question.shareable) asked.set(name, question);
  return question;
}

/**
 * A shared read is planned without knowing its values: good enough where one index is the right one, whatever they are.
 * Elsewhere, how many articles a tag, a category or a status holds decides between two.
 */
function isShareable({ order, filters: { status = [], ...others } }: ArticleQuery): boolean {
  if (Object.values(others).some((value) => value !== undefined) || status.length > 1) return false;
  const [only] = status;
  return (
    only === undefined ||
    order.startsWith('updated_at') ||
    (only === 'published' && order.startsWith('published_at'))
  );
}

/** Status values count as a set: their order and repetition do not make another list. */
const canonical = (bound: Pick<ArticleQuery, 'order' | 'filters'>) => ({
  ...bound,
  filters: { ...bound.filters, status: bound.filters.status && [...new Set(bound.filters.status)].sort() },
});

const keyOf = (order: ArticleOrder, row: ListedArticle): Date | null => {
  if (order.startsWith('published_at')) return row.published_at;
  return order.startsWith('updated_at') ? row.updated_at : row.created_at;
};

function pageStatement(siteId: string, query: ArticleQuery, after: Position | null): Query<ListedArticle> {
  const count = query.limit + 1;
  const where = conditions(siteId, query.filters);
  const part = (keyset: FragmentSqlToken | null) => {
    const all = sql.join(keyset === null ? where : [...where, keyset], sql.fragment` and `);
    // A limit that is not known counts as a tenth of the table: the largest there is shows that few are wanted.
    return sql.fragment`
      select * from (
        select ${query.whole ? articleColumns : briefColumns}, a.xmin as row_version from articles a where ${all} order by ${orderBy[query.order]} limit 101
      ) a limit (select ${count}::int)
    `;
  };
  return sql.type(query.whole ? articleRow : briefRow)`${pageParts(query, after, part, count)}`;
}

/**
 * Rows without a `published_at` come last in both directions, which no row comparison can say: a page that
 * goes on behind a published row is read as the rest of those and the start of these, each by its index.
 */
function pageParts(
  { order, filters }: ArticleQuery,
  after: Position | null,
  part: (keyset: FragmentSqlToken | null) => FragmentSqlToken,
  count: number,
): FragmentSqlToken {
  if (after === null) return part(null);
  const column = sql.fragment`a.${sql.identifier([order.slice(0, order.indexOf('.'))])}`;
  const comparison = order.endsWith('.desc') ? sql.fragment`<` : sql.fragment`>`;
  if (after.key === null)
    return part(sql.fragment`${column} is null and a.id ${comparison} ${after.id}::uuid`);
  const behind = sql.fragment`(${column}, a.id) ${comparison} (${after.key}::timestamptz, ${after.id}::uuid)`;
  const allPublished = filters.status?.every((status) => status === 'published') ?? false;
  if (!order.startsWith('published_at') || allPublished) return part(behind);
  return sql.fragment`
    select * from ((${part(behind)}) union all (${part(sql.fragment`${column} is null`)})) a
    order by ${orderBy[order]} limit ${count}::int
  `;
}

const orderBy: Readonly<Record<ArticleOrder, FragmentSqlToken>> = {
  'updated_at.desc': sql.fragment`a.updated_at desc, a.id desc`,
  'updated_at.asc': sql.fragment`a.updated_at asc, a.id asc`,
  'published_at.desc': sql.fragment`a.published_at desc nulls last, a.id desc`,
  'published_at.asc': sql.fragment`a.published_at asc nulls last, a.id asc`,
  'created_at.desc': sql.fragment`a.created_at desc, a.id desc`,
};

function conditions(siteId: string, filters: ArticleFilters): FragmentSqlToken[] {
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
