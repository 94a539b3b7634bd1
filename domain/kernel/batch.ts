import { at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';

/** The oldest rows of a table. Rows that others have locked are left to the next batch. */
export interface Batch {
  readonly table: string;
  /** The column with the age, which has an index. */
  readonly by: string;
  /** Includes rows of this time, and older ones. */
  readonly until?: Date;
  readonly where?: FragmentSqlToken;
  /** The most rows. */
  readonly size: number;
}

/** The condition for the rows of a batch, in a statement about its table. */
export function inBatch({ table, by, until, where = sql.fragment`true`, size }: Batch): FragmentSqlToken {
  const column = sql.identifier([by]);
  const old = until === undefined ? sql.fragment`true` : sql.fragment`${column} <= ${at(until)}`;
  return sql.fragment`ctid = any(array(
    select ctid from ${sql.identifier([table])} where ${old} and ${where}
    order by ${column} limit ${size} for update skip locked))`;
}

/** @returns how many rows were deleted */
export const deleteBatch = (tx: Transaction, batch: Batch): Promise<number> =>
  tx.exec(statement`delete from ${sql.identifier([batch.table])} where ${inBatch(batch)}`);
