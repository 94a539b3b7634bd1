import type { Client } from 'pg';

/** The size of a row of a table, including its share of indexes and TOAST, in bytes. */
export interface RowSize {
  readonly table: string;
  readonly rows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** The tables that grow with use, without those that have too few rows for an average. */
export async function measureRows(sql: Client): Promise<readonly RowSize[]> {
  await sql.query('analyze');
  const { rows } = await sql.query<RowSize>(
    `select relname as table, n_live_tup::float8 as rows, pg_table_size(relid) / n_live_tup::float8 as "tableBytes",
       pg_indexes_size(relid) / n_live_tup::float8 as "indexBytes"
     from pg_stat_user_tables where n_live_tup >= 200 order by pg_total_relation_size(relid) desc`,
  );
  return rows;
}
