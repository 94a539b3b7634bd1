/** For how long a session of the database may wait and work, in milliseconds. The server holds it to that. */
export interface Timeouts {
  /** For a lock that another transaction holds. */
  readonly lock: number;
  /** On one statement, waiting included. */
  readonly statement: number;
  /** Between two statements of a transaction: how long a process that hangs may hold its locks. */
  readonly idleInTransaction: number;
}

/** A client waits for each of these, and another request for the connection: better told soon to come again. */
export const apiTimeouts: Timeouts = { lock: 5_000, statement: 10_000, idleInTransaction: 15_000 };

/** Batches of housekeeping are longer, and an activity that fails is tried again. Its time-out is a minute. */
export const workerTimeouts: Timeouts = { lock: 10_000, statement: 30_000, idleInTransaction: 30_000 };

/** The operator waits, and would rather wait than come again. */
export const commandTimeouts: Timeouts = { lock: 30_000, statement: 60_000, idleInTransaction: 60_000 };

/**
 * A migration that waits for a lock holds up whoever comes after it, so it gives up soon and tries again: each
 * attempt stops traffic for a second, which every request survives.
 */
export const migrationTimeouts: Timeouts = { lock: 1_000, statement: 60_000, idleInTransaction: 60_000 };

/** As options of a connection. */
export const sessionOptions = ({ lock, statement, idleInTransaction }: Timeouts): string =>
  [
    `-c lock_timeout=${lock}`,
    `-c statement_timeout=${statement}`,
    `-c idle_in_transaction_session_timeout=${idleInTransaction}`,
    '-c timezone=UTC',
  ].join(' ');
