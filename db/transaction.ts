import type pg from 'pg';
import { inOnePacket } from './connection.ts';
import { DatabaseUnreachable, explain, spoilsConnection, sqlState } from './failures.ts';
import { send } from './prepared-query.ts';
import { statement } from './sql.ts';
import type { FragmentSqlToken } from './sql.ts';
import { queryable } from './statements.ts';
import type { Query, Queryable } from './statements.ts';

/** A row of which every change makes another version. */
export interface Versioned {
  readonly version: number;
}

/** Channels of LISTEN and NOTIFY. */
export type Channel = 'presswork_outbox' | 'presswork_webhooks';

/** An open transaction. Functions of the domain take it as their first argument and never open one. */
export interface Transaction extends Queryable {
  /**
   * Reads a row that is then changed: nobody else changes it before this transaction has ended.
   *
   * @param row where it is, as in `articles where id = ${id}`; it has the column `version`
   * @param read selects it, or nothing; a statement as for `Database.shared`
   */
  forChange<Row extends Versioned>(row: FragmentSqlToken, read: Query<Row>): Promise<Row | null>;
  /**
   * Runs a statement with COMMIT, in the same packet: for what nothing in the transaction reads again. It saves
   * a round trip, and its locks are held for a shorter time. Should it fail, the transaction does.
   */
  atCommit<Row>(query: Query<Row>, options?: AtCommit<Row>): void;
  /** Has whoever listens on the channel woken once the transaction has committed. */
  notify(channel: Channel, payload?: string): void;
  /** Has work done once the transaction has committed, before its caller goes on. It must not reject. */
  afterCommit(work: () => Promise<void>): void;
}

interface AtCommit<Row> {
  /** Gets the rows, before anything that follows the commit. */
  readonly read?: (rows: readonly Row[]) => void;
  /** Whether it may have to wait for what another transaction has locked. */
  readonly waits?: boolean;
}

/** What a transaction leaves for its end: statements that go with COMMIT, and what follows it. */
export class Ending {
  readonly statements: Required<AtCommit<never> & { readonly query: Query<never> }>[] = [];
  readonly notifications: [channel: Channel, payload: string][] = [];
  readonly works: (() => Promise<void>)[] = [];
}

/** The part of a transaction that leaves something for its end. */
export const leavingTo = (ending: Ending): Pick<Transaction, 'atCommit' | 'notify' | 'afterCommit'> => ({
  atCommit: (query, { read = () => {}, waits = false } = {}) =>
    ending.statements.push({ query: query as Query<never>, read, waits }),
  notify: (channel, payload = '') => ending.notifications.push([channel, payload]),
  afterCommit: (work) => ending.works.push(work),
});

const BEGIN = { text: 'begin' };
const COMMIT = { text: 'commit' };
const ROLLBACK = { text: 'rollback' };

/** Why the server ended a connection, where it said so between two statements: the next one only hears that it is gone. */
const endings = new WeakMap<pg.PoolClient, Error>();

/** An error of a connection in use reaches whoever waits for it. Unheard, it would end the process as well. */
export const noteEnding = (client: pg.PoolClient): unknown =>
  client.on('error', (error) => endings.get(client) ?? endings.set(client, error));

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects.
 *
 * @param ending gets what follows the commit
 * @param verify whether rows are checked against the type of their statement
 */
export async function transact<T>(
  pool: pg.Pool,
  verify: boolean,
  ending: Ending,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch(explain);
  let broken: Error | undefined;
  try {
    const statements = queryable(
      (statement, values) => send(client, statement, values).catch(explain),
      verify,
    );
    const tx: Transaction = {
      ...statements,
      // Read by a statement of its own: one that had to wait for the lock would see the row as it became, but what
      // it selects beside it as it was.
      forChange: async (row, read) =>
        (await Promise.all([statements.exec(lock(row)), statements.maybeOne(read)]))[1],
      ...leavingTo(ending),
    };
    // Sent with the first statement: the connection is pipelined, so BEGIN is not awaited.
    const { begun, working } = inOnePacket(client, () => {
      const begun = send(client, BEGIN).catch(explain);
      begun.catch(() => {});
      return { begun, working: work(tx) };
    });
    const result = await working;
    await begun;
    await commit(client, statements, ending.statements);
    return result;
  } catch (error) {
    if (sqlState(error) !== undefined && spoilsConnection(error)) broken = error as Error;
    await send(client, ROLLBACK).catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    const ending = endings.get(client);
    throw ending !== undefined && error instanceof DatabaseUnreachable && sqlState(ending) !== undefined
      ? ending
      : error;
  } finally {
    client.release(broken);
  }
}

const lock = (row: FragmentSqlToken): Query => statement`select from ${row} for no key update`;

/** @throws the error of the first statement that failed; nothing has been committed then */
async function commit(client: pg.PoolClient, tx: Queryable, statements: Ending['statements']): Promise<void> {
  const { sent, committing } = inOnePacket(client, () => ({
    sent: statements.map(async ({ query, read }) => read(await tx.any(query))),
    committing: send(client, COMMIT).catch(explain),
  }));
  const [committed, ...outcomes] = await Promise.allSettled([committing, ...sent]);
  const failed = [...outcomes, committed].find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
  // A failed statement whose error `work` swallowed turns COMMIT into ROLLBACK without an error.
  if (committed.status === 'fulfilled' && committed.value.command !== 'COMMIT')
    throw new Error('The transaction was rolled back instead of committed');
}
