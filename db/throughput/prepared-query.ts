import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { keepsSession } from '../client.ts';

/**
 * A statement for the driver. With a name, which always has the same text, it is prepared once for each connection, or
 * for each run if the connection keeps no session; without, it has no values, and is planned each time it runs.
 */
export interface Prepared {
  readonly name?: string;
  readonly text: string;
}

export type Result = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/**
 * Each text is prepared once for each connection, under a short name (parameters carry the values). Clients choose
 * filters, and so texts: the least recently used names are forgotten here, and each connection closes its least
 * recently used statements.
 */
const names = new LRUCache<string, Prepared>({ max: 1_000 });
let named = 0;

/** @param composed the text of a composed statement */
export function prepare(composed: string): Prepared {
  let known = names.get(composed);
  if (known === undefined) {
    known = { name: `s${(named += 1)}`, text: composed.replaceAll('$slonik_', '$') };
    names.set(composed, known);
  }
  return known;
}

/** Maximum number of prepared statements of a connection: each is a plan in the server's memory. */
const MAX_PREPARED = 300;

/** The columns of a statement. The server refuses to run a prepared statement whose columns have changed. */
interface Columns {
  readonly fields: readonly { readonly name: string; readonly parse: (text: string) => unknown }[];
  /** A row of nulls: copied for each row, which is faster than an object that grows. */
  readonly emptyRow: Readonly<Record<string, null>>;
}

const noColumns: Columns = { fields: [], emptyRow: {} };

/**
 * The statements that were prepared on each connection, by name, least recently used first; with their columns once the
 * server has confirmed them, and null before.
 */
const preparedOn = new WeakMap<pg.Connection, Map<string, Columns | null>>();

function statementsOf(connection: pg.Connection): Map<string, Columns | null> {
  let statements = preparedOn.get(connection);
  if (statements === undefined) {
    statements = new Map();
    preparedOn.set(connection, statements);
  }
  return statements;
}

/** The methods that the driver calls on a query, in this order; its types omit it. */
interface DriverQuery {
  callback: (error: Error | null, result?: Result) => void;
  query_timeout?: number;
  submit(connection: pg.Connection): Error | null;
  handleRowDescription(message: { readonly fields: readonly pg.FieldDef[] }): void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(message: { readonly text: string }, connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
}

// The driver accepts only its own class on a pipelined connection. Constructed from a text: an object would be copied
// with all attributes of its members, a tenth of the cost of a write.
const DriverQuery = pg.Query as unknown as new (text: string) => DriverQuery;
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => Buffer | string } })
  .utils;

/**
 * A query that prepares its statement once for each connection, and asks for its columns only then: the driver's own
 * asks for each run.
 */
class PreparedQuery extends DriverQuery {
  readonly #client: pg.ClientBase;
  readonly #statement: Prepared;
  readonly #values: unknown[];
  #columns = noColumns;
  /** Whether this run prepared the statement. */
  #prepares = false;
  readonly #rows: object[] = [];
  #command = '';
  #rowCount: number | null = null;
  #unreadable: Error | null = null;

  constructor(client: pg.ClientBase, statement: Prepared, values: readonly unknown[]) {
    super(statement.text);
    this.#client = client;
    this.#statement = statement;
    this.#values = values as unknown[];
  }

  override submit(connection: pg.Connection): Error | null {
    const { stream } = connection;
    stream.cork();
    try {
      this.#send(connection);
      return null;
    } catch (error) {
      // COMMIT may follow in the same packet, so the connection is closed.
      stream.destroy();
      return error as Error;
    } finally {
      stream.uncork();
    }
  }

  #send(connection: pg.Connection): void {
    const { name, text } = this.#statement;
    if (name === undefined) {
      connection.query(text);
      return;
    }
    if (!keepsSession(this.#client)) {
      connection.parse({ name: '', text, types: [] }, true);
      this.#run(connection, '', true);
      return;
    }
    const statements = statementsOf(connection);
    const columns = statements.get(name) ?? null;
    this.#prepares = columns === null;
    // The most recently used is the last.
    statements.delete(name);
    if (columns === null) {
      closeOldest(statements, connection);
      // A run that failed may have prepared it. To close a missing one is no error.
      connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
    } else this.#columns = columns;
    statements.set(name, columns);
    this.#run(connection, name, columns === null);
  }

  /** Runs a statement that is prepared. @param asks for its columns, too */
  #run(connection: pg.Connection, name: string, asks: boolean): void {
    connection.bind({ statement: name, values: this.#values as string[], valueMapper: prepareValue }, true);
    if (asks) connection.describe({ type: 'P' }, true);
    connection.execute(null, true);
    connection.sync();
  }

  override handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#columns = {
      fields: fields.map(({ name, dataTypeID }) => ({
        name,
        parse: this.#client.getTypeParser(dataTypeID, 'text'),
      })),
      emptyRow: Object.fromEntries(fields.map(({ name }) => [name, null])),
    };
  }

  override handleDataRow({ fields: texts }: { readonly fields: readonly (string | null)[] }): void {
    const { fields, emptyRow } = this.#columns;
    const row: Record<string, unknown> = { ...emptyRow };
    try {
      // An iterator would cost more than the row.
      for (let index = 0; index < texts.length; index += 1) {
        const text = texts[index] as string | null;
        const { name, parse } = fields[index] as Columns['fields'][number];
        if (text !== null) row[name] = parse(text);
      }
    } catch (error) {
      this.#unreadable = error as Error;
    }
    this.#rows.push(row);
  }

  override handleCommandComplete({ text }: { readonly text: string }, connection: pg.Connection): void {
    const words = text.split(' ');
    const count = Number(words.at(-1));
    this.#command = words[0] as string;
    this.#rowCount = Number.isNaN(count) ? null : count;
    const { name } = this.#statement;
    if (name === undefined || !this.#prepares) return;
    const statements = statementsOf(connection);
    // It may have been closed meanwhile.
    if (statements.has(name)) statements.set(name, this.#columns);
  }

  override handleError(error: Error, connection: pg.Connection): void {
    if (!(error instanceof pg.DatabaseError)) connection.stream.destroy();
    const { name } = this.#statement;
    const statements = statementsOf(connection);
    if (name !== undefined && this.#prepares && statements.has(name)) statements.set(name, null);
    this.callback(error);
  }

  override handleReadyForQuery(): void {
    if (this.#unreadable === null)
      this.callback(null, { command: this.#command, rowCount: this.#rowCount, rows: this.#rows });
    else this.callback(this.#unreadable);
  }
}

/** Makes room for one more. The running one was sent before, so that it may be closed, too. */
function closeOldest(statements: Map<string, Columns | null>, connection: pg.Connection): void {
  for (const name of statements.keys()) {
    if (statements.size < MAX_PREPARED) return;
    connection.close({ type: 'S', name }, true);
    statements.delete(name);
  }
}

/**
 * Runs a statement on a connection, after those that were sent before.
 *
 * @param limitMs the time-out after which the connection is closed, if it is shorter than that of every statement
 */
export function send(
  client: pg.ClientBase,
  statement: Prepared,
  values: readonly unknown[] = [],
  limitMs?: number,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const query = new PreparedQuery(client, statement, values);
    if (limitMs !== undefined) query.query_timeout = limitMs;
    query.callback = (error, result) => {
      if (error) reject(error);
      else resolve(result as Result);
    };
    client.query(query);
  });
}
