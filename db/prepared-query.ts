import pg from 'pg';
import { without } from './quiet-connection.ts';

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
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

// It is given a text: an object would be copied with all the attributes of its members, at a tenth of what a write costs.
export const DriverQuery = pg.Query as unknown as new (
  text: string,
  values?: readonly unknown[],
) => DriverQuery;

/**
 * The columns of a connection's prepared statements, by its stream and their names. The server refuses to run one whose
 * columns have changed.
 */
const described = new WeakMap<object, Map<string, Columns>>();
const undescribed = without('describe');

/** A query of the driver that has the columns of a prepared statement described once a connection, not with each run. */
export class PreparedQuery extends DriverQuery {
  constructor({ name, text }: Prepared, values?: readonly unknown[]) {
    super(text, values);
    if (name !== undefined) this.name = name;
  }

  override prepare(connection: pg.Connection): void {
    const columns = this.name === undefined ? undefined : described.get(connection.stream)?.get(this.name);
    if (columns === undefined || !this.hasBeenParsed(connection)) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    super.prepare(undescribed(connection));
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    super.handleCommandComplete(message, connection);
    const known = described.get(connection.stream) ?? new Map<string, Columns>();
    if (this.name === undefined || known.has(this.name)) return;
    described.set(connection.stream, known);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    known.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
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
