/** Time-outs of a database session in milliseconds, enforced by the server. */
export interface Timeouts {
  /** For a lock that another transaction holds. */
  readonly lock: number;
  /** For one statement, including waits. */
  readonly statement: number;
  /** Between two statements of a transaction: how long a hanging process may hold its locks. */
  readonly idleInTransaction: number;
  /** From the start of a transaction to its end, even if its last statements never arrive. The longest of all. */
  readonly transaction: number;
}

/**
 * Without an answer for this long, the server or the network is down: the server would have aborted any work before.
 */
export const silenceAfter = ({ transaction }: Timeouts): number => transaction + 1_000;

/**
 * A client waits for each of these, and other requests wait for the connection: failing early is better. The worker's
 * short statements have the same limits.
 */
export const apiTimeouts: Timeouts = {
  lock: 5_000,
  statement: 10_000,
  idleInTransaction: 10_000,
  transaction: 11_000,
};

/** Batches of housekeeping take longer, and a failed activity is retried. An activity's own time-out is a minute. */
export const workerTimeouts: Timeouts = {
  lock: 10_000,
  statement: 30_000,
  idleInTransaction: 30_000,
  transaction: 45_000,
};

/** The operator waits, and prefers waiting to a retry. */
export const commandTimeouts: Timeouts = {
  lock: 30_000,
  statement: 60_000,
  idleInTransaction: 60_000,
  transaction: 120_000,
};

/** A snapshot is read for as long as its files are written. PostgreSQL takes 0 as no limit. */
export const snapshotTimeouts: Timeouts = {
  lock: 30_000,
  statement: 60_000,
  idleInTransaction: 300_000,
  transaction: 0,
};

/**
 * A migration that waits for a lock blocks everyone after it, so it gives up soon and tries again. Each attempt stops
 * traffic for a second, which every request survives.
 */
export const migrationTimeouts: Timeouts = {
  lock: 1_000,
  statement: 60_000,
  idleInTransaction: 60_000,
  transaction: 300_000,
};

/** The connection options that set time-outs, and the settings that statements rely on. */
export const sessionOptions = ({ lock, statement, idleInTransaction, transaction }: Timeouts): string =>
  [
    `-c lock_timeout=${lock}`,
    `-c statement_timeout=${statement}`,
    `-c idle_in_transaction_session_timeout=${idleInTransaction}`,
    `-c transaction_timeout=${transaction}`,
    // The server detects a lost client, and releases its locks.
    '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3',
    // A statement must see commits made while the one before it waited for a lock.
    '-c default_transaction_isolation=read\\ committed',
    '-c timezone=UTC',
  ].join(' ');
