import type pg from 'pg';
import type { z } from 'zod';
import type { Prepared } from './prepared-query.ts';
import { inStatementSpan } from './spans.ts';
import type { QuerySqlToken } from './sql.ts';

/** A composed statement whose rows are of type `Row`. */
export type Query<Row = unknown> = QuerySqlToken<z.ZodType<Row>>;

/** What both the database and an open transaction can do. */
export interface Queryable {
  /** All rows. */
  any<Row>(query: Query<Row>): Promise<readonly Row[]>;
  /** The row, or null when there is none. */
  maybeOne<Row>(query: Query<Row>): Promise<Row | null>;
  /** The row. @throws Error when there is not exactly one: a defect, never a client's mistake */
  one<Row>(query: Query<Row>): Promise<Row>;
  /** Number of rows the statement touched. */
  exec(query: Query): Promise<number>;
}

/** Has the driver run a statement. */
export type Run = (statement: Prepared, values: readonly unknown[]) => Promise<pg.QueryResult>;

export function queryable(run: Run, verify: boolean): Queryable {
  const execute = async (query: Query): Promise<pg.QueryResult> => {
    const result = await inStatementSpan(query.sql, () => run(prepare(query.sql), query.values));
    if (verify) await verifyRows(query, result.rows);
    return result;
  };
  return {
    async any(query) {
      return (await execute(query)).rows;
    },
    async maybeOne(query) {
      const { rows } = await execute(query);
      if (rows.length > 1) throw new Error(`Expected at most one row, got ${rows.length}: ${query.sql}`);
      return rows[0] ?? null;
    },
    async one(query) {
      const { rows } = await execute(query);
      if (rows.length !== 1) throw new Error(`Expected one row, got ${rows.length}: ${query.sql}`);
      return rows[0];
    },
    async exec(query) {
      return (await execute(query)).rowCount ?? 0;
    },
  };
}

/**
 * Texts are few (parameters carry what varies), so each is prepared once a connection, under a short name.
 * Past the bound a statement runs unnamed: no client's choice of filters may fill the server's memory.
 */
const prepared = new Map<string, Prepared>();
const PREPARED_AT_MOST = 400;

export function prepare(composed: string): Prepared {
  let known = prepared.get(composed);
  if (known === undefined) {
    const text = composed.replaceAll('$slonik_', '$');
    if (prepared.size >= PREPARED_AT_MOST) return { text };
    known = { name: `s${prepared.size}`, text };
    prepared.set(composed, known);
  }
  return known;
}

export async function verifyRows(query: Query, rows: readonly unknown[]): Promise<void> {
  for (const row of rows) {
    const checked = await query.parser['~standard'].validate(row);
    if (checked.issues) {
      throw new Error(
        `A row does not have its declared type: ${JSON.stringify(checked.issues)} in ${query.sql}`,
      );
    }
  }
}
