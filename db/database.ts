import pg from 'pg';
import { connectionSettings } from './client.ts';
import type { Access } from './client.ts';
import { createPool, withConnection } from './connection.ts';
import { DatabaseBusy, rethrowClassified, isRetryable } from './failures.ts';
import { createNotifier } from './notifier.ts';
import { pooledBegin, sendInTransaction } from './pooled.ts';
import { createShares } from './shares.ts';
import { inTransactionSpan } from './spans.ts';
import { queryable } from './statements.ts';
import type { Queryable, Run } from './statements.ts';
import { send } from './throughput/prepared-query.ts';
import { createReads } from './throughput/reads.ts';
import type { Reads } from './throughput/reads.ts';
import { commandTimeouts } from './timeouts.ts';
import type { Timeouts } from './timeouts.ts';
import { BEGIN, EndOfTransaction, rememberDisconnectReason, transact } from './transaction.ts';
import type { Rows, Transaction, TransactionOptions } from './transaction.ts';
import type { CommitHooks, OneStatement } from './effects.ts';
import { writeOptimistically } from './optimistic-write.ts';

/**
 * The pool and its transactions. On the hot path, slonik's own pool costs about three times the CPU of a named
 * statement (docs/decisions/0002), so slonik composes and types statements, and the driver runs them.
 */

/** Runs work in a transaction. */
export type RunTransaction = <T>(
  work: (tx: Transaction) => Promise<T>,
  options?: TransactionOptions,
) => Promise<T>;

export interface Database extends Queryable, Reads {
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. A deadlock or
   * serialization failure runs it again (at most three times), so `work` must not have effects outside the transaction.
   *
   * @throws DatabaseBusy if it has waited too long for its turn; nothing has been done then
   */
  readonly transaction: RunTransaction;
  /**
   * Makes a change with a single statement, which commits by itself (db/optimistic-write.ts).
   *
   * @returns null if nothing was written; the same change in a transaction finds out why
   * @throws DatabaseBusy as `transaction` does
   */
  tryWrite<T>(
    change: (rows: Rows, effects: OneStatement) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<{ readonly result: T } | null>;
  close(): Promise<void>;
  readonly pool: pg.Pool;
}

export interface DatabaseOptions extends Access {
  readonly connectionString: string;
  /** Maximum number of connections. */
  readonly poolSize?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Defaults to the time-outs of a command. */
  readonly timeouts?: Timeouts;
  /** Checks each row against the type its statement declares: for tests. */
  readonly verifyRows?: boolean;
  /** Called with an error of an idle connection. */
  readonly onError?: (error: Error) => void;
}

const UUID_ARRAY: number = 2951;
const FOUR_DIGIT_YEAR = /^\d{4}-/;
const parseTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text');
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
// Each row of a page has several time stamps. Connections are in UTC, so the text is nearly ISO 8601, which parses fastest.
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) =>
  text.endsWith('+00') && FOUR_DIGIT_YEAR.test(text)
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : (parseTimestamp(text) as Date),
);
// Ids need no unquoting; the driver's array parser works character by character.
types.setTypeParser(UUID_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',')));

const ATTEMPTS = 3;
/**
 * A transaction that has waited this long for its connection is not started: its client has given up, or is about to.
 */
const START_WITHIN_MS = 10_000;

export function createDatabase(options: DatabaseOptions): Database {
  const { connectionString, applicationName, timeouts = commandTimeouts, poolSize = 16 } = options;
  const settings = connectionSettings(connectionString, applicationName, timeouts, options);
  const pool = createPool({ ...settings, types }, timeouts, poolSize);
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', rememberDisconnectReason);
  const verify = options.verifyRows ?? false;
  const pooled = options.poolMode === 'transaction';
  const begin = pooled ? pooledBegin(timeouts) : BEGIN;
  const run: Run = (statement, values) =>
    withConnection(pool, (client) =>
      pooled ? sendInTransaction(client, begin, statement, values) : send(client, statement, values),
    ).catch(rethrowClassified);
  const notify = createNotifier(run);
  const withinShare = createShares(poolSize);
  const statements = queryable(run, verify);
  const reads = createReads(run, verify);

  /** Runs work when its Site has a free connection, unless it is no longer wanted then. @param asked when it was asked for */
  const inTurn = async <T>(
    { siteId, mayBegin = () => {} }: TransactionOptions,
    asked: number,
    work: (stillWanted: () => void) => Promise<T>,
  ): Promise<T> => {
    const stillWanted = (): void => {
      if (performance.now() - asked > START_WITHIN_MS)
        throw new DatabaseBusy('The transaction has waited too long to start');
      mayBegin();
    };
    return siteId === undefined ? work(stillWanted) : withinShare(siteId, () => work(stillWanted));
  };
  const followUp = async ({ notifications, works }: CommitHooks): Promise<void> => {
    for (const [channel, payload] of notifications) notify(channel, payload);
    for (const after of works) await after();
  };

  const transaction: RunTransaction = async (work, given = {}) => {
    const asked = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      const end = new EndOfTransaction();
      let result;
      try {
        result = await inTurn(given, asked, (stillWanted) =>
          inTransactionSpan(() => transact({ pool, verify, begin }, end, work, stillWanted)),
        );
      } catch (error) {
        if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
        continue;
      }
      await followUp(end);
      return result;
    }
  };

  const rows: Rows = { ...statements, current: async (_, read) => (await reads.coalesced(read))[0] ?? null };
  const tryWrite: Database['tryWrite'] = async (change, given = {}) => {
    const written = await writeOptimistically(rows, change, (query) =>
      inTurn(given, performance.now(), (stillWanted) => {
        stillWanted();
        return statements.one(query);
      }),
    );
    if (written !== null) await followUp(written.effects);
    return written;
  };

  return {
    ...statements,
    ...reads,
    pool,
    close: () => pool.end(),
    transaction,
    tryWrite,
  };
}
