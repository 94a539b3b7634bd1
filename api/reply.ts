import type { Kept } from '../db/revalidated-reads.ts';
import type { ServiceError } from '../domain/errors.ts';
import type { Page } from '../domain/page.ts';
import type { Version } from './preconditions.ts';

/** What a handler answers; the edge turns it into status, headers and envelope. */
export interface Reply {
  readonly status: 200 | 201 | 202 | 204;
  /** What stands under `data`. */
  readonly data?: unknown;
  /** Instead of `data`, the body as it is sent. */
  readonly json?: string;
  /** The row's version, or what else tells one state of the answer from another, for `ETag`. */
  readonly version?: Version | undefined;
  /** Path below the base address, for `Location`. */
  readonly location?: string;
  /** What a replay shows instead of `data`: the same with secrets nulled (specification, Authentication). */
  readonly replayData?: unknown;
}

/** What a handler answers where it refuses, and yet changed something that has to stay. */
export interface Refusal {
  readonly refusal: ServiceError;
}

export const isRefusal = (outcome: object): outcome is Refusal => 'refusal' in outcome;

interface Extras {
  readonly version?: Version;
  readonly location?: string;
}

export const ok = (data: unknown, extras: Extras = {}): Reply => ({ status: 200, data, ...extras });

export const created = (data: unknown, extras: Extras = {}): Reply => ({ status: 201, data, ...extras });

export const accepted = (data: unknown, extras: Extras = {}): Reply => ({ status: 202, data, ...extras });

/** A refusal whose changes are kept, unlike those of one that is thrown. */
export const refusal = (error: ServiceError): Refusal => ({ refusal: error });

export const noContent = (): Reply => ({ status: 204 });

/** The same with its body made, so that it can be kept. */
export const written = ({ data, ...reply }: Reply): Reply & Kept => ({ ...reply, json: bodyOf(data) });

/** The envelope around what an operation answers (decisions 1). */
export const bodyOf = (data: unknown): string => JSON.stringify({ data });

/** A page of a list, presented (decisions 1). */
export const page = <Row>(rows: Page<Row>, present: (row: Row) => unknown): Reply =>
  ok({ items: rows.items.map(present), next_cursor: rows.nextCursor });
