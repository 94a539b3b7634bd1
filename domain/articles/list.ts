import { z } from 'zod';
import { coalescedQuery } from '../../db/throughput/coalesced-query.ts';
import type { CoalescedQuery } from '../../db/throughput/coalesced-query.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import type { UnreadResult } from '../kernel/conditional-read.ts';
import type { CursorBinding, Position } from '../kernel/cursor.ts';
import { pageOf, startOf } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { readWeighedPage, withinStep } from '../kernel/weighed-page.ts';
import type { WeighedPage } from '../kernel/weighed-page.ts';
import { prepareSearch } from '../search/search.ts';
import { searchInTurn } from '../search/turns.ts';
import { articleWordsOf } from '../search/words.ts';
import { articleRows, conditions, isPublishedOnly, orderBy, searchedRows } from './list-rows.ts';
import type { After, ArticleFilters, ArticleOrder } from './list-rows.ts';
import { articleRow, articleWeight, tagIds, columnNames, someColumns } from './row.ts';
import type { Article } from './row.ts';

/** The members of the default list projection (docs/spec/service-api.md, Article). */
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
  'origin',
  'published_at',
  'scheduled_publish_at',
  'created_at',
  'updated_at',
] as const;

/** The members that may have hundreds of kilobytes. */
export const heavyMembers = [
  'content',
  'seo_keywords',
  'faqs',
  'key_takeaways',
  'howto_steps',
  'comparison',
  'sources',
] as const;

type HeavyMember = (typeof heavyMembers)[number];

const lightRow = articleRow.omit(
  Object.fromEntries(heavyMembers.map((name) => [name, true])) as { [Name in HeavyMember]: true },
);
const weighedRow = articleRow.extend({ found: z.number() });

const briefRow = articleRow.pick(Object.fromEntries(defaultProjection.map((name) => [name, true])) as Brief);
type Brief = { [Name in (typeof defaultProjection)[number]]: true };

/** An article as a list reads it: whole, or only the members of the default projection. */
export type ListedArticle = z.infer<typeof briefRow> & Partial<Article>;

const briefColumns = someColumns(defaultProjection);

const heavy: ReadonlySet<string> = new Set(heavyMembers);
const lightColumns = sql.fragment`${someColumns(columnNames.filter((name) => !heavy.has(name)))}, ${tagIds}`;

/** Heavy members that were not requested are neither read nor weighed. The text of the statement stays the same. */
const weighedColumns = (wanted: ReadonlySet<string>): FragmentSqlToken => {
  const columns = heavyMembers.map((name) => {
    const column = sql.identifier([name]);
    return sql.fragment`case when ${wanted.has(name)}::boolean then a.${column} end as ${column}`;
  });
  return sql.fragment`${lightColumns}, ${sql.join(columns, sql.fragment`, `)}`;
};

export interface ArticleQuery extends PageRequest {
  readonly order: ArticleOrder;
  readonly filters: ArticleFilters;
}

/** Which light members a list reads: those of the default projection, or all. */
type Columns = 'brief' | 'light';

const columnsOf = { brief: briefColumns, light: lightColumns };
const rowOf = { brief: briefRow, light: lightRow };

/**
 * A keyset page of a Site's articles. Each order has its index; no list counts or skips rows.
 *
 * @throws ServiceError INVALID_REQUEST for a cursor of another list
 */
export function articlePage(
  db: Database,
  site: Site,
  query: ArticleQuery,
  columns: Columns,
): UnreadResult<Page<ListedArticle>> {
  const { order, filters, cursor, limit } = query;
  const after = cursor === undefined ? null : startOf(bindingOf(site, query), query);
  const pageFrom = (rows: readonly ListedArticle[]): Page<ListedArticle> =>
    pageOf(bindingOf(site, query), query, rows, (row) => positionOf(order, row));

  const count = limit + 1;
  if (filters.q !== undefined)
    return {
      read: () =>
        searchInTurn(db, site.id, filters.q, async (limited) => {
          const rows = matchingRows(site, query, columnsOf[columns]);
          const statement = (part: FragmentSqlToken) =>
            sql.type<z.ZodType<ListedArticle>>(rowOf[columns])`${part}`;
          return pageFrom(rows === null ? [] : await limited.any(statement(rows(after, count))));
        }),
      conditional: null,
    };
  const plain = plainFilter(query);
  if (plain === null) {
    const where = conditions(site.id, filters);
    const rows = articleRows(order, columnsOf[columns], where, isPublishedOnly(filters), after, count);
    const statement = sql.type<z.ZodType<ListedArticle>>(rowOf[columns])`${rows}`;
    return { read: async () => pageFrom(await db.any(statement)), conditional: null };
  }
  const { name, statement } = plainList(order, columns, plain, after);
  const [status = ''] = filters.status ?? [];
  const asked = statement({ siteId: site.id, status, key: after?.key ?? null, id: after?.id ?? null, count });
  return {
    read: async () => pageFrom(await db.coalesced(asked)),
    conditional: {
      key: JSON.stringify([name, ...asked.values]),
      async readIfChanged(known) {
        const changed = await db.ifChanged(asked, known);
        return changed && { signature: changed.signature, result: pageFrom(changed.rows) };
      },
    },
  };
}

/** Gives the part of a statement that selects the rows of a list after a position. */
type RowsAfter = (after: After | null, count: number) => FragmentSqlToken;

/** @returns null if nothing can be found */
function matchingRows(
  site: Site,
  { order, filters }: ArticleQuery,
  columns: FragmentSqlToken,
): RowsAfter | null {
  const where = conditions(site.id, filters);
  const publishedOnly = isPublishedOnly(filters);
  if (filters.q === undefined)
    return (after, count) => articleRows(order, columns, where, publishedOnly, after, count);
  const search = prepareSearch(site.id, filters.q, articleWordsOf);
  if (search === null) return null;
  return (after, count) => searchedRows(search, site.id, order, columns, where, publishedOnly, after, count);
}

/** Which articles a plain list has, if it is one. */
type PlainFilter = 'all' | 'published' | 'one status';

/**
 * The filter of a list that can be coalesced; null for other lists. A coalesced read gets a generic plan. That is good
 * enough if a single index fits all values. For other filters, the number of articles with a tag, a category or a
 * status decides which index is best.
 */
function plainFilter({ order, filters: { status = [], ...others } }: ArticleQuery): PlainFilter | null {
  if (Object.values(others).some((value) => value !== undefined) || status.length > 1) return null;
  const [only] = status;
  if (only === undefined) return 'all';
  if (only === 'published') return order.startsWith('created_at') ? null : 'published';
  return order.startsWith('updated_at') ? 'one status' : null;
}

interface PlainList {
  readonly name: string;
  readonly statement: (
    values: Readonly<Record<'siteId' | 'status' | 'key' | 'id' | 'count', string | number | null>>,
  ) => CoalescedQuery<ListedArticle>;
}

/** The plain lists that have been requested: at most one for each order, columns, filter and kind of position. */
const plainLists = new Map<string, PlainList>();

function plainList(
  order: ArticleOrder,
  columns: Columns,
  filter: PlainFilter,
  after: Position | null,
): PlainList {
  const from = after === null ? 'start' : after.key === null ? 'id' : 'key and id';
  const name = `${order}, ${columns}, ${filter}, from ${from}`;
  const known = plainLists.get(name);
  if (known !== undefined) return known;
  const types = {
    siteId: 'uuid',
    ...(filter !== 'all' && { status: 'text' as const }),
    ...(from === 'key and id' && { key: 'timestamptz' as const }),
    ...(from !== 'start' && { id: 'uuid' as const }),
    count: 'int',
  } as const;
  const row: z.ZodType<ListedArticle> = rowOf[columns];
  const statement = coalescedQuery(row, types, ({ siteId, status, key = null, id, count }) => {
    const where = [sql.fragment`a.site_id = ${siteId}`];
    if (status !== undefined) where.push(sql.fragment`a.status = ${status}`);
    const position = id === undefined ? null : { key, id };
    return articleRows(order, columnsOf[columns], where, filter === 'published', position, count);
  });
  const list = { name, statement };
  plainLists.set(name, list);
  return list;
}

/**
 * A page with heavy members, which may end early (docs/spec/rulings.md, 14).
 *
 * @param fields the requested members
 * @param write serializes a row as JSON
 */
export const listHeavyArticles = (
  db: Database,
  site: Site,
  query: ArticleQuery,
  fields: ReadonlySet<string>,
  write: (row: ListedArticle) => string,
): Promise<WeighedPage> =>
  searchInTurn(db, site.id, query.filters.q, (limited) => {
    const rows = matchingRows(site, query, weighedColumns(fields));
    return readWeighedPage(
      bindingOf(site, query),
      query,
      async (after, count) =>
        rows === null
          ? []
          : limited.any(
              sql.type(weighedRow)`${withinStep(rows(after, count), orderBy[query.order], articleWeight)}`,
            ),
      (row) => positionOf(query.order, row),
      write,
    );
  });

const bindingOf = (site: Site, { order, filters }: ArticleQuery): CursorBinding => ({
  key: site.cursorKey,
  query: `articles ${JSON.stringify(canonical({ order, filters }))}`,
});

const positionOf = (order: ArticleOrder, row: ListedArticle): Position => ({
  key: keyOf(order, row)?.toISOString() ?? null,
  id: row.id,
});

/** Statuses and origins are sets: their order and repetition do not matter. */
const canonical = (bound: Pick<ArticleQuery, 'order' | 'filters'>) => ({
  ...bound,
  filters: {
    ...bound.filters,
    status: setOf(bound.filters.status),
    origin: setOf(bound.filters.origin),
  },
});

const setOf = (values: readonly string[] | undefined) => values && [...new Set(values)].sort();

const keyOf = (order: ArticleOrder, row: ListedArticle): Date | null => {
  if (order.startsWith('published_at')) return row.published_at;
  return order.startsWith('updated_at') ? row.updated_at : row.created_at;
};
