import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { acquire, inOnePacket, release } from './connection.ts';
import {
  DatabaseUnreachable,
  rethrowClassified,
  spoilsConnection,
  sqlState,
  throwRejected,
} from './failures.ts';
import { Registered } from './effects.ts';
import type { ConditionalStatement, EffectOptions, Effects } from './effects.ts';
import { sql, statement } from './sql.ts';
import type { FragmentSqlToken } from './sql.ts';
import { queryable } from './statements.ts';
import type { Query, Queryable } from './statements.ts';
import type { CoalescedQuery } from './throughput/coalesced-query.ts';
import { send } from './throughput/prepared-query.ts';
import type { Prepared } from './throughput/prepared-query.ts';

/** A row whose version increases with every change. */
export interface Versioned {
  readonly version: number;
}

/** Reads the state that a change starts from. */
export interface Reader extends Queryable {
  /**
   * Reads the row that is about to be changed. A transaction locks it until it ends; an optimistic write reads it
   * without a lock, and later changes it only if its version is still the same.
   *
   * @param row the tail of a FROM clause, as in `articles where id = ${id}`; the table has the column `version`
   * @param read selects the row, or nothing
   */
  current<Row extends Versioned>(row: FragmentSqlToken, read: CoalescedQuery<Row>): Promise<Row | null>;
}

/** The rows that a change starts from, or creates. */
export interface Rows extends Reader {
  /** Whether reads can lock rows until the change is made. An optimistic write leaves that to constraints. */
  readonly locks: boolean;
  /**
   * Inserts the row that a change creates. A transaction does so at once; in an optimistic write it is the change itself,
   * so that nothing happens if the row exists.
   *
   * @returns false if a transaction has inserted nothing
   */
  insert(statement: ConditionalStatement): Promise<boolean>;
}

/** An open transaction. Functions of the domain take it as their first argument and never open one. */
export interface Transaction extends Rows, Effects {
  /**
   * Runs a statement with COMMIT, in the same packet, if nothing in the transaction reads its result. That saves a
   * round trip and shortens the time that locks are held. If the statement fails, the transaction fails. A transaction
   * with no other statements takes a single round trip.
   */
  atCommit(query: Query): void;
  /**
   * Makes one of several changes: if it rejects, its effects are forgotten. A statement that it sends at once cannot be
   * taken back, so it must not fail after that with an error that does not end the transaction.
   */
  apart<T>(change: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** The common part of all transactions of a database. */
interface Transactions {
  readonly pool: pg.Pool;
  /** Whether rows are checked against the type of their statement. */
  readonly verify: boolean;
  readonly begin: Prepared;
}

export interface TransactionOptions {
  /** Called when the transaction has a connection and has sent nothing. An error ends the transaction. */
  readonly mayBegin?: () => void;
}

/** The end of a transaction: statements that are sent with COMMIT, and work after it. */
export class EndOfTransaction extends Registered {
  readonly statements: { readonly query: Query; readonly read: (rows: readonly never[]) => void }[] = [];
  readonly #gathered = new Map<string, { readonly items: unknown[]; readonly compose: Compose }>();
  readonly #isOneOfSeveral: boolean;

  constructor(isOneOfSeveral = false) {
    super();
    this.#isOneOfSeveral = isOneOfSeveral;
  }

  atCommit(query: Query): void {
    this.statements.push({ query, read: () => {} });
  }

  change(change: ConditionalStatement): void {
    this.atCommit(statement`${change(ALWAYS)}`);
  }

  add<Row>(
    effect: (when: FragmentSqlToken, rows: FragmentSqlToken) => FragmentSqlToken,
    { read = () => {}, after }: EffectOptions<Row> = {},
  ): void {
    const before = after && sql.fragment`with before as (${after(ALWAYS)})`;
    const query = statement`${before ?? sql.fragment``} ${effect(ALWAYS, sql.fragment`before`)}`;
    this.statements.push({ query, read });
  }

  override gather<Item>(
    kind: string,
    items: readonly Item[],
    compose: (effects: Effects, items: readonly Item[]) => void,
  ): void {
    // What several have in common is part of the first one's trace.
    if (this.#isOneOfSeveral) this.#collect(kind, items, AsyncLocalStorage.bind(compose as Compose));
    else compose(this, items);
  }

  /** Takes over the effects of one of several changes. */
  absorb(own: EndOfTransaction): void {
    this.statements.push(...own.statements);
    this.notifications.push(...own.notifications);
    this.works.push(...own.works);
    for (const [kind, { items, compose }] of own.#gathered) this.#collect(kind, items, compose);
  }

  /** Adds the common effects of several changes, once all of them are made. */
  addGathered(): void {
    // Counts come before events, as in a change by itself.
    for (const [, { items, compose }] of [...this.#gathered].sort(byKind)) compose(this, items);
  }

  #collect(kind: string, items: readonly unknown[], compose: Compose): void {
    const known = this.#gathered.get(kind) ?? { items: [], compose };
    known.items.push(...items);
    this.#gathered.set(kind, known);
  }
}

type Compose = (effects: Effects, items: readonly unknown[]) => void;
const byKind = ([left]: [string, unknown], [right]: [string, unknown]): number => (left < right ? -1 : 1);

const ALWAYS = sql.fragment`true`;
/** For connections whose session has every setting. */
export const BEGIN: Prepared = { text: 'begin' };
const COMMIT = { text: 'commit' };
const ROLLBACK = { text: 'rollback' };

/**
 * The server's last error on a connection, if it arrived between two statements: the next statement only learns that
 * the connection is closed.
 */
const disconnectReasons = new WeakMap<pg.PoolClient, Error>();

/**
 * Statements in progress report an error of their connection to their callers. Without a listener, it would also end
 * the process.
 */
export const rememberDisconnectReason = (client: pg.PoolClient): unknown =>
  client.on('error', (error) => disconnectReasons.get(client) ?? disconnectReasons.set(client, error));

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects.
 *
 * @param end receives what is sent with COMMIT, and what follows it
 * @param mayBegin called before anything is sent; an error ends the transaction
 */
export async function transact<T>(
  { pool, verify, begin: opening }: Transactions,
  end: EndOfTransaction,
  work: (tx: Transaction) => Promise<T>,
  mayBegin: () => void,
): Promise<T> {
  const client = await acquire(pool).catch(rethrowClassified);
  const begin = new Begin(client, opening);
  let broken: Error | undefined;
  try {
    mayBegin();
    const statements = queryable((statement, values) => {
      void begin.send();
      return send(client, statement, values).catch(rethrowClassified);
    }, verify);
    const result = await inOnePacket(client, () => work(transactionOf(statements, end)));
    end.addGathered();
    if (begin.sent || end.statements.length > 0) await commit(client, begin, statements, end.statements);
    return result;
  } catch (error) {
    if (sqlState(error) !== undefined && spoilsConnection(error)) broken = error as Error;
    if (begin.sent)
      await send(client, ROLLBACK).catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    const reason = disconnectReasons.get(client);
    throw reason !== undefined && error instanceof DatabaseUnreachable && sqlState(reason) !== undefined
      ? reason
      : error;
  } finally {
    release(pool, client, broken);
  }
}

/** @param end receives the effects */
function transactionOf(statements: Queryable, end: EndOfTransaction): Transaction {
  return {
    ...statements,
    locks: true,
    // The row is read by its own statement: a statement that waited for the lock would return the row as it became,
    // but everything else it selects as it was before.
    current: async (row, read) =>
      (await Promise.all([statements.exec(lock(row)), statements.maybeOne(read)]))[1],
    insert: async (insertion) => (await statements.exec(statement`${insertion(ALWAYS)}`)) > 0,
    atCommit: (query) => end.atCommit(query),
    change: (change) => end.change(change),
    add: (effect, options) => end.add(effect, options),
    gather: (kind, items, compose) => end.gather(kind, items, compose),
    notify: (channel, payload) => end.notify(channel, payload),
    afterCommit: (afterwards) => end.afterCommit(afterwards),
    async apart(change) {
      const own = new EndOfTransaction(true);
      const result = await change(transactionOf(statements, own));
      end.absorb(own);
      return result;
    },
  };
}

/**
 * BEGIN is sent in one packet with the next statement. The connection is pipelined, so only the commit waits for it.
 */
class Begin {
  readonly #client: pg.PoolClient;
  readonly #statement: Prepared;
  #sent: Promise<unknown> | undefined;

  constructor(client: pg.PoolClient, statement: Prepared) {
    this.#client = client;
    this.#statement = statement;
  }

  get sent(): boolean {
    return this.#sent !== undefined;
  }

  /** Sends BEGIN, once. */
  send(): Promise<unknown> {
    if (this.#sent === undefined) {
      this.#sent = inOnePacket(this.#client, () => send(this.#client, this.#statement)).catch(
        rethrowClassified,
      );
      this.#sent.catch(() => {});
    }
    return this.#sent;
  }
}

const lock = (row: FragmentSqlToken): Query => statement`select from ${row} for no key update`;

/** @throws the error of the first failed statement; nothing has been committed then */
async function commit(
  client: pg.PoolClient,
  begin: Begin,
  tx: Queryable,
  statements: EndOfTransaction['statements'],
): Promise<void> {
  const outcomes = await Promise.allSettled(
    inOnePacket(client, () => [
      begin.send(),
      ...statements.map(async ({ query, read }) => read((await tx.any(query)) as readonly never[])),
      send(client, COMMIT)
        .catch(rethrowClassified)
        .then(({ command }) => {
          // A failed statement whose error `work` swallowed turns COMMIT into ROLLBACK without an error.
          if (command !== 'COMMIT') throw new Error('The transaction was rolled back instead of committed');
        }),
    ]),
  );
  throwRejected(outcomes);
}
