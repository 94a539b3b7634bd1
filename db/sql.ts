import { createSqlTag } from 'slonik';
import type { FragmentSqlToken, ListSqlToken, QuerySqlToken } from 'slonik';
import { z } from 'zod';

const tag = createSqlTag();

/** A time stamp: the driver's type for `timestamptz`, in rows and parameters. */
export const timestamp = z.date();

/** Composes statements; `sql.type(row)` sets the type of the rows. */
export const sql = tag;

/** The columns of a row that has only columns of a table. @param table its name in the statement */
export const columnsOf = (row: z.ZodObject, table: string): FragmentSqlToken => {
  const names = Object.keys(row.shape).map((name) => tag.identifier([table, name]));
  return tag.fragment`${tag.join(names, tag.fragment`, `)}`;
};

/** A statement without rows that are read. */
export const statement = tag.type(z.unknown());

/**
 * A time as a bound value. slonik's own token turns it into seconds with a fraction; the driver's
 * text form keeps the statement's shape (and so its plan) the same for null.
 */
export const at = (time: Date): string => time.toISOString();

/** An array as one bound parameter, so that its length does not change the text of the statement. */
export const array = (
  values: readonly (string | null)[],
  type: 'uuid' | 'text' | 'timestamptz',
): ReturnType<typeof tag.array> => tag.array(values, type);

/** A JSON value as one bound parameter; null stays SQL's null. */
export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

export type { FragmentSqlToken, ListSqlToken, QuerySqlToken };
