import pg from 'pg';

/**
 * The connection to the database was refused, or broke. The same may well succeed a little later. Where it is thrown
 * by a commit, whether that took place is not known.
 */
export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable';
}

/** What the server cuts: by lock, statement and idle-in-transaction time-out, and for want of a free connection. */
const CUT = new Set(['55P03', '57014', '25P03', '53300']);
/** What the pool says where all connections stayed in use. */
const NONE_FREE = 'timeout exceeded when trying to connect';

/** Whether something could not be done in the time there was: nothing of it has been committed. */
export function ranOutOfTime(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return CUT.has(state);
  return error instanceof Error && error.message === NONE_FREE;
}

/** What the server says while it is starting, ending or recovering, or has no memory, disk or files left to work with. */
const NOT_SERVING = /^(08...|53...|57P0.|58030)$/;

/** Whether the database is away, or cannot serve at this moment. */
export const isAway = (error: unknown): boolean =>
  error instanceof DatabaseUnreachable || NOT_SERVING.test(sqlState(error) ?? '');

/** A migration has changed the columns of a statement that the connection has prepared: there it fails for good. */
const OTHER_COLUMNS = '0A000';

/** Whether a connection is of no more use after an error of a statement. */
export const spoilsConnection = (error: unknown): boolean =>
  !isRefused(error) || sqlState(error) === OTHER_COLUMNS;

/** @throws DatabaseUnreachable for an error of the connection, else the error itself */
export function explain(error: unknown): never {
  const { name, message } = error as Error;
  // A TypeError or RangeError of the driver is a value that it cannot send.
  const isOther = error instanceof pg.DatabaseError || name === 'TypeError' || name === 'RangeError';
  // Made where the answer was read, it would not say who asked.
  if (isOther) Error.captureStackTrace(error as Error, explain);
  if (isOther || message === NONE_FREE) throw error;
  throw new DatabaseUnreachable(message, { cause: error });
}

/** Serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Whether the same transaction may well succeed when it is run again. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.has(sqlState(error) ?? '');

/** Whether a statement was refused for what the database holds, or for what other transactions do. */
export const refusedByState = (error: unknown): boolean =>
  isRetryable(error) || (sqlState(error) ?? '').startsWith('23');

/** Whether the server refused a statement, and rolls back its transaction; not where it ended the connection. */
export const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR';

/** The five-character SQLSTATE of a database error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the constraint a database error speaks of, or undefined. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}
