import { createSqlTag } from 'slonik';
import type { FragmentSqlToken, ListSqlToken, QuerySqlToken } from 'slonik';
import { z } from 'zod';

const tag = createSqlTag();

/** A time stamp: what the driver gives for `timestamptz` and takes for a parameter. */
export const timestamp = z.date();

/** Composes statements; `sql.type(row)` fixes the type of the rows a statement gives. */
export const sql = tag;

/** A statement that gives no rows that anybody reads. */
export const statement = tag.type(z.unknown());

/**
 * A time as a bound value. slonik's own token turns it into seconds with a fraction; the driver's
 * text form keeps the statement's shape (and so its plan) the same for null.
 */
export const at = (time: Date): string => time.toISOString();

/** An array as one bound parameter, so that its length does not change the text of the statement. */
export const array = (
  values: readonly (string | null)[],
  type: 'uuid' | 'text',
): ReturnType<typeof tag.array> => tag.array(values, type);

/** A JSON value as one bound parameter; null stays SQL's null. */
export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

export type { FragmentSqlToken, ListSqlToken, QuerySqlToken };
