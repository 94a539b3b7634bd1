import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';

/**
 * The sort key of alphabetical lists: the name without case, in every script (docs/spec/rulings.md, 5), independent of
 * the database's collation. The indexes of these lists contain the same expression.
 */
export const caseInsensitive = (column: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`lower(${column} collate "pg_c_utf8")`;
