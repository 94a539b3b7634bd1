import type pg from 'pg';
import { withConnection } from './connection.ts';
import { spoilsConnection } from './failures.ts';
import { DriverQuery, PreparedQuery } from './prepared-query.ts';
import type { Prepared } from './prepared-query.ts';
import { without } from './quiet-connection.ts';
import { prepare } from './statements.ts';
import type { Query } from './statements.ts';
import type { Composed } from './value-sets.ts';

/** A prepared statement with its values. */
export interface Bound {
  readonly statement: Prepared;
  readonly values: readonly unknown[];
}

/** A composed statement as it goes into a batch. */
export const bind = ({ sql: text, values }: Query): Bound => bindComposed({ text, values });

export const bindComposed = ({ text, values }: Composed): Bound => ({ statement: prepare(text), values });

/** What the driver remembers of a connection's named statements: by name, their texts. */
interface Connection extends pg.Connection {
  readonly submittedNamedStatements: Record<string, string>;
}

const unanswered = without('sync');

/** A statement of a batch: it does not ask for an answer of its own. */
class Part extends PreparedQuery {
  found: readonly unknown[] = [];

  constructor({ statement, values }: Bound) {
    super(statement, values);
    this.callback = (error, result) => {
      // Of a value that cannot be sent.
      if (error) throw error;
      this.found = result.rows;
    };
  }
}

/**
 * Statements with one request for an answer behind them all: between two such requests PostgreSQL has one transaction, so
 * that it needs neither BEGIN nor COMMIT.
 */
class Batch extends DriverQuery {
  readonly parts: readonly Part[];
  #current = 0;

  constructor(batch: readonly Bound[]) {
    super('');
    this.parts = batch.map((bound) => new Part(bound));
    this.#goTo(0);
  }

  /** The driver notes under a query's name and text what the server has prepared: those of the part that it is at. */
  #goTo(index: number): void {
    this.#current = index;
    const { name, text } = this.parts[index] ?? {};
    this.name = name;
    this.text = text ?? '';
  }

  override submit(connection: pg.Connection): null {
    const { stream } = connection;
    stream.cork();
    try {
      for (const part of this.parts) part.prepare(unanswered(connection));
      connection.sync();
    } catch (error) {
      // A part may have been written: what came behind it would be committed with it.
      stream.destroy();
      throw error;
    } finally {
      stream.uncork();
    }
    return null;
  }

  override handleRowDescription(message: unknown): void {
    this.parts[this.#current]?.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.parts[this.#current]?.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.parts[this.#current]?.handleCommandComplete(message, connection);
    this.#goTo(this.#current + 1);
  }

  override handleReadyForQuery(connection: pg.Connection): void {
    for (const part of this.parts) part.handleReadyForQuery(connection);
    super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Connection): void {
    // The server has not looked at those behind the one that failed.
    for (const { name } of this.parts.slice(this.#current))
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    const tell = (): void => super.handleError(error, connection);
    // It says what failed before it gives up the locks: not until it is ready again is nothing left of the transaction.
    if (spoilsConnection(error)) tell();
    else whenReady(connection, tell);
  }
}

/** Once the server is ready for another statement, or gone. */
function whenReady(connection: pg.Connection, then: () => void): void {
  const once = (): void => {
    connection.off('readyForQuery', once).off('end', once);
    then();
  };
  connection.on('readyForQuery', once).on('end', once);
}

/** Runs statements as one transaction, in one packet on a connection of the pool. @returns the rows of each */
export const sendBatch = (pool: pg.Pool, batch: readonly Bound[]): Promise<readonly (readonly unknown[])[]> =>
  withConnection(
    pool,
    (client) =>
      new Promise((resolve, reject) => {
        const query = new Batch(batch);
        query.callback = (error) => {
          if (error) reject(error);
          else resolve(query.parts.map(({ found }) => found));
        };
        client.query(query);
      }),
  );
