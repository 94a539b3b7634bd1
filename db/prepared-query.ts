import pg from 'pg';

/** A statement as the driver takes it; one without a name is planned with every run. */
export interface Prepared {
  readonly name?: string;
  readonly text: string;
}

/** What the driver makes of a statement's columns, once it has been told of them. */
interface Columns {
  readonly fields: unknown;
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: unknown;
}

/** The part of the driver's query that its types leave out. */
export interface DriverQuery extends pg.Submittable {
  name: string | undefined;
  text: string;
  callback?: (error: Error | null, result: pg.QueryResult) => void;
  _result: Columns;
  _accumulateRows: boolean;
  submit(connection: pg.Connection): Error | null;
  hasBeenParsed(connection: pg.Connection): boolean;
  prepare(connection: pg.Connection): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

// It is given a text: an object would be copied with all the attributes of its members, at a tenth of what a write costs.
export const DriverQuery = pg.Query as unknown as new (
  text: string,
  values?: readonly unknown[],
) => DriverQuery;

/** What is known of a connection's prepared statements. The server refuses to run one whose columns have changed. */
interface Described {
  readonly columns: Map<string, Columns>;
  /** The connection, but that it does not ask for a description. */
  readonly quiet: pg.Connection;
}

const described = new WeakMap<pg.Connection, Described>();

/** A query of the driver that has the columns of a prepared statement described once a connection, not with each run. */
class PreparedQuery extends DriverQuery {
  constructor({ name, text }: Prepared, values?: readonly unknown[]) {
    super(text, values);
    if (name !== undefined) this.name = name;
  }

  override prepare(connection: pg.Connection): void {
    const known = described.get(connection);
    const columns = this.name === undefined ? undefined : known?.columns.get(this.name);
    if (known === undefined || columns === undefined || !this.hasBeenParsed(connection)) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    super.prepare(known.quiet);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    super.handleCommandComplete(message, connection);
    let known = described.get(connection);
    if (this.name === undefined || known?.columns.has(this.name)) return;
    if (known === undefined) {
      known = { columns: new Map(), quiet: Object.assign(Object.create(connection), { describe() {} }) };
      described.set(connection, known);
    }
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    known.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/** Runs a statement on a connection, behind those that were sent before. */
export function send(
  client: pg.ClientBase,
  statement: Prepared,
  values?: readonly unknown[],
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new PreparedQuery(statement, values);
    query.callback = (error, result) => {
      if (error) reject(error);
      else resolve(result);
    };
    client.query(query);
  });
}
