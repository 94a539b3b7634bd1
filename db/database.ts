import pg from 'pg';
import { withConnection } from './connection.ts';
import { explain, isRetryable } from './failures.ts';
import { createAttempts } from './optimistic.ts';
import type { AttemptWork } from './optimistic.ts';
import { send } from './prepared-query.ts';
import type { Prepared } from './prepared-query.ts';
import { createRevalidatedReads } from './revalidated-reads.ts';
import type { Kept, Presentation } from './revalidated-reads.ts';
import { createShortTransactions } from './short-transactions.ts';
import type { RunTogether } from './short-transactions.ts';
import { createSharedReads } from './shared-reads.ts';
import { inStatementSpan, inTransactionSpan } from './spans.ts';
import { prepare, queryable, verifyRows } from './statements.ts';
import type { Query, Queryable, Run } from './statements.ts';
import { commandTimeouts, sessionOptions } from './timeouts.ts';
import type { Timeouts } from './timeouts.ts';
import { Ending, noteEnding, transact } from './transaction.ts';
import type { Channel, Transaction } from './transaction.ts';

/**
 * The pool and its transactions. slonik's own pool costs about three times the CPU of a named statement on the hot
 * path (docs/decisions/0002), so slonik composes and types, and the driver runs.
 */

export interface Database extends Queryable {
  /**
   * All rows, of a statement whose parameters all carry their type (`${id}::uuid`): those that come at the same time
   * and differ in their values alone share a round trip.
   */
  shared<Row>(query: Query<Row>): Promise<readonly Row[]>;
  /**
   * What is made of the rows of a statement as for `shared`, which also selects `id` and `xmin as row_version` of
   * each: made anew only where the database has other rows than the last time.
   */
  revalidated<Row, Answer extends Kept>(
    query: Query<Row>,
    presentation: Presentation<readonly Row[], Answer>,
  ): Promise<Answer>;
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. A
   * deadlock or serialization failure runs it again (at most three times), so `work` may not have
   * effects outside the transaction.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Begins `work` without a transaction: it has the same effects as in one, none of them before the attempt is
   * committed. It costs less where the work takes up rows with `forChange`, and writes with `atCommit` alone.
   */
  readonly attempt: AttemptWork;
  /**
   * Runs statements that give no rows in one transaction, which takes a single round trip: all are carried out, or none.
   *
   * @param options.waits whether they may have to wait for a lock that others hold for long
   */
  readonly together: RunTogether;
  close(): Promise<void>;
  readonly pool: pg.Pool;
}

export interface DatabaseOptions {
  readonly connectionString: string;
  /** Connections at most. */
  readonly poolSize?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Those of a command, unless others are given. */
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
// Ids have nothing to unquote; the driver's parser of arrays goes by the character.
// A page has four times a row. Connections are in UTC, so the text is all but ISO 8601, which the engine reads fastest.
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) =>
  text.endsWith('+00') && FOUR_DIGIT_YEAR.test(text)
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : (parseTimestamp(text) as Date),
);
types.setTypeParser(UUID_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',')));

const ATTEMPTS = 3;

export function createDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.poolSize ?? 16,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    pipeline: true,
    types,
    options: sessionOptions(options.timeouts ?? commandTimeouts),
  });
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', noteEnding);
  const verify = options.verifyRows ?? false;
  const notify = createNotifier(pool);
  const runTogether = createShortTransactions(pool);

  const run: Run = (statement, values) => onAnyConnection(pool, statement, values).catch(explain);
  const statements = queryable(run, verify);
  const shared = createSharedReads(async ({ text, values }) => {
    const { rows } = await run(prepare(text), values);
    return rows;
  });
  const revalidated = createRevalidatedReads(shared);

  const sharedRows = async <Row>(query: Query<Row>): Promise<readonly Row[]> => {
    const rows = await inStatementSpan(query.sql, () => shared({ text: query.sql, values: query.values }));
    if (verify) await verifyRows(query, rows);
    return rows as readonly unknown[] as readonly Row[];
  };

  const finish = async ({ notifications, works }: Ending): Promise<void> => {
    for (const [channel, payload] of notifications) notify(channel, payload);
    for (const work of works) await work();
  };
  const committed = async <T>(
    work: (tx: Transaction) => Promise<T>,
  ): Promise<[result: T, ending: Ending]> => {
    for (let attempt = 1; ; attempt += 1) {
      const ending = new Ending();
      try {
        return [await inTransactionSpan(() => transact(pool, verify, ending, work)), ending];
      } catch (error) {
        if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  };
  const transaction = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const [result, ending] = await committed(work);
    await finish(ending);
    return result;
  };

  return {
    ...statements,
    shared: sharedRows,
    revalidated(query, { name, of }) {
      return inStatementSpan(query.sql, () =>
        revalidated({ text: query.sql, values: query.values }, name, async (rows: readonly never[]) => {
          if (verify) await verifyRows(query, rows);
          return of(rows);
        }),
      );
    },
    together: (queries, options) => inTransactionSpan(() => runTogether(queries, options)),
    pool,
    close: () => pool.end(),
    transaction,
    attempt: createAttempts({ pool, verify, shared: sharedRows, transaction, finish }),
  };
}

const NOTIFY = { name: 'notify', text: 'select pg_notify($1, $2)' };
/** Payloads one NOTIFY carries at most: it may have 8,000 bytes, and they are ids. */
const PAYLOADS = 150;

/**
 * Sends NOTIFY after the commit, in a statement of its own: inside the transaction it would take a lock
 * over the whole database until the commit is flushed, one commit at a time. What a crash in between
 * loses, the listeners' slow poll finds. At most one a channel is under way; what comes meanwhile goes
 * together in the next, payloads joined by commas.
 */
function createNotifier(pool: pg.Pool): (channel: Channel, payload: string) => void {
  const waiting = new Map<Channel, Set<string>>();
  const send = async (channel: Channel, payloads: Set<string>): Promise<void> => {
    while (payloads.size > 0) {
      const now = [...payloads].slice(0, PAYLOADS);
      for (const payload of now) payloads.delete(payload);
      await onAnyConnection(pool, NOTIFY, [channel, now.join(',')]).catch(() => {});
    }
    waiting.delete(channel);
  };
  return (channel, payload) => {
    const payloads = waiting.get(channel);
    if (payloads) {
      payloads.add(payload);
      return;
    }
    const fresh = new Set([payload]);
    waiting.set(channel, fresh);
    void send(channel, fresh);
  };
}

const onAnyConnection = (
  pool: pg.Pool,
  statement: Prepared,
  values: readonly unknown[],
): Promise<pg.QueryResult> => withConnection(pool, (client) => send(client, statement, values));
