import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { CursorBinding, Position } from './cursor.ts';

/** A page of a list: the rows, and the cursor of the next page (null at the end). */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

export interface PageRequest {
  readonly cursor?: string | undefined;
  /** 1 to 100. */
  readonly limit: number;
}

/** The order of a list. */
export interface Order<Row> {
  /** By which rows are sorted: a key and a unique column, or only the unique one. None may be null. */
  readonly columns: readonly FragmentSqlToken[];
  readonly direction: 'asc' | 'desc';
  /** The values of the columns in a row. */
  readonly positionOf: (row: Row) => Position;
}

const column = (table: string, name: string): FragmentSqlToken =>
  sql.fragment`${sql.identifier([table, name])}`;

/** By a time, and then the id. @param table its name in the statement */
export const newestFirst = <Time extends string>(
  table: string,
  time: Time,
): Order<{ readonly id: string } & Readonly<Record<Time, Date>>> => ({
  columns: [column(table, time), column(table, 'id')],
  direction: 'desc',
  positionOf: (row) => ({ key: row[time].toISOString(), id: row.id }),
});

/** By the id, which sorts by creation. @param table its name in the statement */
export const byId = (table: string, direction: 'asc' | 'desc'): Order<{ readonly id: string }> => ({
  columns: [column(table, 'id')],
  direction,
  positionOf: ({ id }) => ({ key: null, id }),
});

/** The parts of a statement that reads a page. */
export interface PageSql {
  /** The condition for rows after the position. */
  readonly after: FragmentSqlToken;
  /** The columns of ORDER BY. */
  readonly order: FragmentSqlToken;
}

/** @param position null at the start of the list */
export function pageSql({ columns, direction }: Order<never>, position: Position | null): PageSql {
  const list = (members: readonly (FragmentSqlToken | string | null)[]): FragmentSqlToken =>
    sql.fragment`${sql.join(members, sql.fragment`, `)}`;
  const [comparison, suffix] =
    direction === 'asc' ? [sql.fragment`>`, sql.fragment`asc`] : [sql.fragment`<`, sql.fragment`desc`];
  const order = list(columns.map((name) => sql.fragment`${name} ${suffix}`));
  if (position === null) return { after: sql.fragment`true`, order };
  const values = [position.key, position.id].slice(-columns.length);
  return { after: sql.fragment`(${list(columns)}) ${comparison} (${list(values)})`, order };
}

/** The position of a cursor; null at the start. @throws ServiceError INVALID_REQUEST for a cursor of another list */
export const startOf = (binding: CursorBinding, { cursor }: PageRequest): Position | null =>
  cursor === undefined ? null : decodeCursor(binding, cursor);

/**
 * Makes a page of rows that were read with one extra: the extra row shows, without a count, that the list continues.
 *
 * @param positionOf the sort key and id of a row
 */
export function pageOf<Row>(
  binding: CursorBinding,
  { limit }: PageRequest,
  rows: readonly Row[],
  positionOf: (row: Row) => Position,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, nextCursor: more ? encodeCursor(binding, positionOf(last)) : null };
}

/**
 * Reads one page of a list of a Site.
 *
 * @param query names the list and its filters, for the cursor
 * @param fetch reads at most `count` rows, with the parts of `PageSql`
 */
export async function readPage<Row>(
  site: { readonly cursorKey: Buffer },
  query: string,
  request: PageRequest,
  order: Order<Row>,
  fetch: (part: PageSql, count: number) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const binding = { key: site.cursorKey, query };
  const rows = await fetch(pageSql(order, startOf(binding, request)), request.limit + 1);
  return pageOf(binding, request, rows, order.positionOf);
}
