import pg from 'pg';
import { connectionSettings } from './client.ts';
import type { Access } from './client.ts';
import { createPool, withConnection } from './connection.ts';
import { DatabaseBusy, rethrowClassified, isRetryable } from './failures.ts';
import { createNotifier } from './notifier.ts';
import { limitedBegin, pooledBegin, sendInTransaction } from './pooled.ts';
import { createShares } from './shares.ts';
import type { Tenant } from './shares.ts';
import { inTransactionSpan } from './spans.ts';
import { queryable } from './statements.ts';
import type { Queryable, Run } from './statements.ts';
import { send } from './throughput/prepared-query.ts';
import type { Prepared, Result } from './throughput/prepared-query.ts';
import { createReads } from './throughput/reads.ts';
import type { Reads } from './throughput/reads.ts';
import { commandTimeouts } from './timeouts.ts';
import type { Timeouts } from './timeouts.ts';
import { BEGIN, EndOfTransaction, rememberDisconnectReason, transact } from './transaction.ts';
import type { Reader, Rows, Transaction, TransactionOptions } from './transaction.ts';
import type { OneStatement, Registered } from './effects.ts';
import { writeOptimistically } from './optimistic-write.ts';

/**
 * The pool and its transactions. On the hot path, slonik's own pool costs about three times the CPU of a named
 * statement (docs/decisions/0002), so slonik composes and types statements, and the driver runs them.
 */

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
  /**
   * The same database, for the work of a Site: what it runs takes its connections from the share of the Site and of its
   * organisation (db/shares.ts). Coalesced reads, which several Sites share, take none.
   *
   * @throws DatabaseBusy each statement and transaction, if it has waited too long for its turn
   */
  of(tenant: Tenant): Database;
  /** Statements that the server aborts at a moment, by `performance.now()`. */
  until(moment: number): Queryable;
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

/** Throws if a transaction that was asked for at a moment is no longer wanted. */
const wantedSince =
  (asked: number, { mayBegin = () => {} }: TransactionOptions = {}) =>
  (): void => {
    if (performance.now() - asked > START_WITHIN_MS)
      throw new DatabaseBusy('The transaction has waited too long to start');
    mayBegin();
  };

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
  const runUntil = (moment: number, statement: Prepared, values: readonly unknown[]): Promise<Result> =>
    withConnection(pool, (client) => {
      const limitMs = Math.max(1, Math.ceil(moment - performance.now()));
      return sendInTransaction(client, limitedBegin(timeouts, limitMs), statement, values);
    }).catch(rethrowClassified);
  const notify = createNotifier(run);
  const withinShare = createShares(poolSize);
  const direct = queryable(run, verify);
  const reads = createReads(run, verify);
  const runCommitHooks = async ({ notifications, works }: Registered): Promise<void> => {
    for (const [channel, payload] of notifications) notify(channel, payload);
    for (const after of works) await after();
  };

  /** @param inTurn runs work when there is a connection for it */
  const databaseOf = (inTurn: <T>(work: () => Promise<T>) => Promise<T>): Database => {
    const statements = queryable((statement, values) => inTurn(() => run(statement, values)), verify);
    const rows: Reader = {
      ...statements,
      current: async (_, read) => (await reads.coalesced(read))[0] ?? null,
    };
    return {
      ...statements,
      ...reads,
      pool,
      close: () => pool.end(),
      async transaction(work, given) {
        const stillWanted = wantedSince(performance.now(), given);
        for (let attempt = 1; ; attempt += 1) {
          const end = new EndOfTransaction();
          let result;
          try {
            result = await inTurn(() =>
              inTransactionSpan(() => transact({ pool, verify, begin }, end, work, stillWanted)),
            );
          } catch (error) {
            if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
            continue;
          }
          await runCommitHooks(end);
          return result;
        }
      },
      async tryWrite(change, given) {
        const written = await writeOptimistically(rows, change, (query) => {
          const stillWanted = wantedSince(performance.now(), given);
          return inTurn(() => {
            stillWanted();
            return direct.one(query);
          });
        });
        if (written !== null) await runCommitHooks(written.effects);
        return written;
      },
      of: (tenant) => databaseOf((work) => withinShare(tenant, work)),
      until: (moment) =>
        queryable((statement, values) => inTurn(() => runUntil(moment, statement, values)), verify),
    };
  };
  return databaseOf((work) => work());
}
