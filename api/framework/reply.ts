import type { ServiceError } from '../../domain/kernel/errors.ts';
import type { Page } from '../../domain/kernel/page.ts';
import type { Version } from '../http/preconditions.ts';

/** The result of a handler, before it becomes status, headers and envelope. */
export interface Reply {
  readonly status: 200 | 201 | 202 | 204;
  /** The member `data` of the envelope. */
  readonly data?: unknown;
  /** The serialized body, instead of `data`. */
  readonly json?: string;
  /** The serialized body in UTF-8, for a page that may be large. */
  readonly bytes?: Buffer;
  /** The version of the row, or another text that identifies this state of the object, for `ETag`. */
  readonly version?: Version | undefined;
  /** Path relative to the base URL, for `Location`. */
  readonly location?: string;
  /**
   * Slow work after the commit, whose reply is sent instead of this one. Only for operations that are not idempotent.
   *
   * @param gone aborted when the client has gone
   */
  readonly later?: (gone: AbortSignal) => Promise<Reply>;
  /** Replaces `data` in a replay: the same with secrets set to null (docs/spec/service-api.md, Authentication). */
  readonly replayData?: unknown;
}

/** An error whose transaction is committed. A thrown ServiceError rolls it back. */
export interface CommittedError {
  readonly committedError: ServiceError;
}

export const isCommittedError = (outcome: object): outcome is CommittedError => 'committedError' in outcome;

interface Extras {
  readonly version?: Version;
  readonly location?: string;
}

export const ok = (data: unknown, extras: Extras = {}): Reply => ({ status: 200, data, ...extras });

export const created = (data: unknown, extras: Extras = {}): Reply => ({ status: 201, data, ...extras });

export const accepted = (data: unknown, extras: Extras = {}): Reply => ({ status: 202, data, ...extras });

/** Answers an error, and commits the handler's changes. */
export const committedError = (error: ServiceError): CommittedError => ({ committedError: error });

export const noContent = (): Reply => ({ status: 204 });

/** The serialized envelope of an answer (docs/spec/rulings.md, 1). */
export const bodyOf = (data: unknown): string => JSON.stringify({ data });

/** A page of a list (docs/spec/rulings.md, 1). */
export const page = <Row>(rows: Page<Row>, present: (row: Row) => unknown): Reply =>
  ok(presentPage(rows, present));

export const presentPage = <Row>(
  { items, nextCursor }: Page<Row>,
  present: (row: Row) => unknown,
): object => ({
  items: items.map(present),
  next_cursor: nextCursor,
});
