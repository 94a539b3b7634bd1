import type { z } from 'zod';
import { inStatementSpan } from './spans.ts';
import type { QuerySqlToken } from './sql.ts';
import { prepare } from './throughput/prepared-query.ts';
import type { Prepared, Result } from './throughput/prepared-query.ts';

/** A composed statement whose rows are of type `Row`. */
export type Query<Row = unknown> = QuerySqlToken<z.ZodType<Row>>;

/** The common interface of the database and an open transaction. */
export interface Queryable {
  /** All rows. */
  any<Row>(query: Query<Row>): Promise<readonly Row[]>;
  maybeOne<Row>(query: Query<Row>): Promise<Row | null>;
  /** The row. @throws Error if there is not exactly one, which is a defect, not a client's mistake */
  one<Row>(query: Query<Row>): Promise<Row>;
  /** Number of rows the statement touched. */
  exec(query: Query): Promise<number>;
}

/** Runs a statement with the driver. */
export type Run = (statement: Prepared, values: readonly unknown[]) => Promise<Result>;

export function queryable(run: Run, verify: boolean): Queryable {
  const execute = async (query: Query): Promise<Result> => {
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
