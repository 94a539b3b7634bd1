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

/**
 * Reads one page: fetches one row more than asked for, to know whether the list goes on without a count.
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
  const after = request.cursor === undefined ? null : decodeCursor(binding, request.cursor);
  const rows = await fetch(after, request.limit + 1);
  const items = rows.slice(0, request.limit);
  const last = items.at(-1);
  const more = rows.length > request.limit && last !== undefined;
  return { items, nextCursor: more ? encodeCursor(binding, positionOf(last)) : null };
}
