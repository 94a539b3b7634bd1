import { decodeCursor, encodeCursor } from './cursor.ts';
import type { CursorBinding, Position } from './cursor.ts';

/** A page of a list: the rows, and where it goes on (null at the end). */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

export interface PageRequest {
  readonly cursor?: string | undefined;
  /** 1 to 100. */
  readonly limit: number;
}

/** Where a page goes on; null at the start. @throws ServiceError INVALID_REQUEST for a cursor of another list */
export const startOf = (binding: CursorBinding, { cursor }: PageRequest): Position | null =>
  cursor === undefined ? null : decodeCursor(binding, cursor);

/**
 * A page of rows, of which one more was read than is shown: that tells without a count whether the list goes on.
 *
 * @param positionOf the order key and id of a row
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
 * Reads one page.
 *
 * @param fetch reads at most `count` rows behind `after`, in the list's order
 * @param positionOf the order key and id of a row
 */
export async function readPage<Row>(
  binding: CursorBinding,
  request: PageRequest,
  fetch: (after: Position | null, count: number) => Promise<readonly Row[]>,
  positionOf: (row: Row) => Position,
): Promise<Page<Row>> {
  const rows = await fetch(startOf(binding, request), request.limit + 1);
  return pageOf(binding, request, rows, positionOf);
}
