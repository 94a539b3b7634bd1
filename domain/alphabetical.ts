import { sql } from '../db/sql.ts';
import type { FragmentSqlToken } from '../db/sql.ts';

/**
 * What a name is ordered by where a list is alphabetical: itself without case, in every script (decisions 5), whatever
 * the database was made with. Indexes of such lists have this very expression.
 */
export const caseless = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`lower(${column} collate "pg_c_utf8")`;
