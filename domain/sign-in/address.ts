import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';

/**
 * An e-mail address with its Latin letters in lower case. Other letters stay as they are: JavaScript and the database
 * fold them differently, and an address must be counted and found under the same form.
 */
export const foldAddress = (typed: string): string =>
  typed.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The same for a column, without trimming. The indexes of look-ups contain the same expression. */
export const folded = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`lower(${column} collate "C")`;
