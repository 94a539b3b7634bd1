import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { encodeCursor } from './cursor.ts';
import type { CursorBinding, Position } from './cursor.ts';
import { startOf } from './page.ts';
import type { PageRequest } from './page.ts';

/** The most bytes of JSON on a page (docs/spec/rulings.md, 14). Every page has at least one item, whatever its size. */
export const PAGE_BYTES = 8 * 1_048_576;

/** A step reads rows until they reach this weight: the driver needs several times their size in memory. */
const STEP_BYTES = 2 * 1_048_576;
/** The most rows weighed in a step: weighing a row may mean decompressing it. */
const STEP_ROWS = 50;

/** A page whose items are already JSON in UTF-8. */
export interface WeighedPage {
  readonly items: readonly Buffer[];
  readonly nextCursor: string | null;
}

/** The columns of a row of `withinStep` in addition to its own columns. */
export interface Weighed {
  /** How many rows there were; the first of them are returned. */
  readonly found: number;
}

/**
 * Reads a page of a list with large rows in steps. The data of a row is dropped as soon as its JSON is made. Each step
 * continues after the last row, as a next page would.
 *
 * @param fetch reads at most `count` rows after `after`, as composed by `withinStep`
 * @param write serializes a row as JSON
 */
export async function readWeighedPage<Row>(
  binding: CursorBinding,
  request: PageRequest,
  fetch: (after: Position | null, count: number) => Promise<readonly (Row & Weighed)[]>,
  positionOf: (row: Row) => Position,
  write: (row: Row) => string,
): Promise<WeighedPage> {
  const items: Buffer[] = [];
  let weight = 0;
  let last = startOf(binding, request);
  const upTo = (position: Position) => ({ items, nextCursor: encodeCursor(binding, position) });
  for (;;) {
    const count = Math.min(request.limit + 1 - items.length, STEP_ROWS);
    const rows = await fetch(last, count);
    for (const row of rows) {
      const item = Buffer.from(write(row));
      const isFull = items.length === request.limit || weight + item.length > PAGE_BYTES;
      if (isFull && items.length > 0 && last !== null) return upTo(last);
      items.push(item);
      weight += item.length;
      last = positionOf(row);
    }
    const found = rows[0]?.found ?? 0;
    if (rows.length === found && found < count) return { items, nextCursor: null };
  }
}

/**
 * Selects the rows of one step: the first row, and further ones until they reach the weight.
 *
 * @param rows gives rows with all that is weighed; the others are decompressed only to be weighed
 * @param order of the columns of `rows`, under the name `a`, as in the statement itself
 * @param weight bytes of a row, of the same columns
 */
export const withinStep = (
  rows: FragmentSqlToken,
  order: FragmentSqlToken,
  weight: FragmentSqlToken,
): FragmentSqlToken => sql.fragment`
  select a.* from (
    select a.*, (count(*) over ())::int as found,
      sum(${weight}) over (order by ${order} rows between unbounded preceding and 1 preceding) as weight_before
    from (${rows}) a
  ) a
  where a.weight_before is null or a.weight_before < ${STEP_BYTES}::int
  order by ${order}`;
