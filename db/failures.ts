import pg from 'pg';

/**
 * The connection to the database was refused, or broke. A retry may succeed soon. If a commit throws it, the
 * transaction may have been committed or not.
 */
export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable';
}

/** A request has waited too long for its turn at the database, or would have had to. Nothing of it was sent. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy';
}

/**
 * SQLSTATEs of the server's limits: lock, statement, idle-in-transaction and transaction time-out, and no free
 * connection.
 */
const CUT = new Set(['55P03', '57014', '25P03', '25P04', '53300']);
/** The message of the pool if no connection became free. */
const NONE_FREE = 'timeout exceeded when trying to connect';

/** Whether work exceeded its time: nothing of it has been committed. */
export function ranOutOfTime(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return CUT.has(state);
  return error instanceof DatabaseBusy || (error instanceof Error && error.message === NONE_FREE);
}

/** The SQLSTATE of a write that a read-only server refuses, such as a primary that has become a standby. */
const READ_ONLY = '25006';
/**
 * SQLSTATEs of a server that is starting, stopping or recovering, is out of memory, disk or files, is read-only, or
 * refuses a login, for example with a password that is just being changed.
 */
const NOT_SERVING = new RegExp(`^(08...|53...|57P0.|58030|28000|28P01|${READ_ONLY})$`);

/** Whether a server refused a write because it is read-only. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === READ_ONLY;

/** A migration has changed the columns of a statement that the connection has prepared: it fails there permanently. */
const OTHER_COLUMNS = '0A000';

/** Whether the database is unavailable at this moment. */
export const isAway = (error: unknown): boolean =>
  error instanceof DatabaseUnreachable ||
  NOT_SERVING.test(sqlState(error) ?? '') ||
  sqlState(error) === OTHER_COLUMNS;

/** Codes of Node for a certificate that is refused. */
const CERTIFICATE = /^(ERR_TLS_CERT_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;
/** Introduced by PostgreSQL 17, and set for every connection: an older server does not know it. */
const NEWEST_SETTING = 'transaction_timeout';

/** What is wrong with the server of DATABASE_URL and will not change by itself; null for any other error. */
export function whyUnusable(error: unknown): string | null {
  const { message, code, cause } = error as Error & { code?: string; cause?: { code?: string } };
  const state = sqlState(error) ?? '';
  if (state === '42704' && message.includes(NEWEST_SETTING))
    return 'the server is too old; PostgreSQL 17 or later is needed';
  if (state === '08P01' && message.includes('startup parameter'))
    return `the pooler refuses a session (${message}); DATABASE_POOL_MODE=transaction needs none`;
  if (/^(28...|3D000)$/.test(state)) return `the server refuses the login (${message})`;
  if (CERTIFICATE.test(code ?? cause?.code ?? ''))
    return `the certificate of the server is not trusted (${message})`;
  return null;
}

/** Whether a connection cannot be used any more after an error of a statement: a new one may reach a working server. */
export const spoilsConnection = (error: unknown): boolean => !isRefused(error) || isAway(error);

/** @throws DatabaseUnreachable for an error of the connection, else the error itself */
export function rethrowClassified(error: unknown): never {
  const { name, message } = error as Error;
  // A TypeError or RangeError of the driver means a value that it cannot send.
  const isOther = error instanceof pg.DatabaseError || name === 'TypeError' || name === 'RangeError';
  // The original stack starts in the socket's reader, and would not show the caller.
  if (isOther) Error.captureStackTrace(error as Error, rethrowClassified);
  if (isOther || ranOutOfTime(error)) throw error;
  throw new DatabaseUnreachable(message, { cause: error });
}

/**
 * Throws the error of the first failed statement among several that were sent together.
 *
 * @throws preferably another one than DatabaseUnreachable: a statement that cannot be sent breaks the connection for
 *   the others
 */
export function throwRejected(outcomes: readonly PromiseSettledResult<unknown>[]): void {
  const errors = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
  );
  if (errors.length > 0) throw errors.find((error) => !(error instanceof DatabaseUnreachable)) ?? errors[0];
}

/** Serialization failure and deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Whether the same transaction may succeed on a retry. */
export const isRetryable = (error: unknown): boolean => RETRYABLE.has(sqlState(error) ?? '');

/** Whether a statement was refused because of stored data, or of concurrent transactions. */
export const refusedByState = (error: unknown): boolean =>
  isRetryable(error) || (sqlState(error) ?? '').startsWith('23');

/** Whether the server refused a statement and rolls back its transaction, without closing the connection. */
export const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR';

/** The five-character SQLSTATE of a database error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}
