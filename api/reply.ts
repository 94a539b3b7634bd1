import type { Page } from '../domain/page.ts';

/** What a handler answers; the edge turns it into status, headers and envelope. */
export interface Reply {
  readonly status: 200 | 201 | 202 | 204;
  /** What stands under `data`. */
  readonly data?: unknown;
  /** The row's version, for `ETag`. */
  readonly version?: number | undefined;
  /** Path below the base address, for `Location`. */
  readonly location?: string;
  /** What a replay shows instead of `data`: the same with secrets nulled (specification, Authentication). */
  readonly replayData?: unknown;
}

interface Extras {
  readonly version?: number;
  readonly location?: string;
}

export const ok = (data: unknown, extras: Extras = {}): Reply => ({ status: 200, data, ...extras });

export const created = (data: unknown, extras: Extras = {}): Reply => ({ status: 201, data, ...extras });

export const accepted = (data: unknown): Reply => ({ status: 202, data });

export const noContent = (): Reply => ({ status: 204 });

/** A page of a list, presented (decisions 1). */
export const page = <Row>(rows: Page<Row>, present: (row: Row) => unknown): Reply =>
  ok({ items: rows.items.map(present), next_cursor: rows.nextCursor });
