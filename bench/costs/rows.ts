import type { Client } from 'pg';

/** What a row of a table takes, with its part of the indexes and of what is stored apart, in bytes. */
export interface RowSize {
  readonly table: string;
  readonly rows: number;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** The tables that grow with use; those with too few rows to say are left out. */
export async function measureRows(sql: Client): Promise<readonly RowSize[]> {
  await sql.query('analyze');
  const { rows } = await sql.query<RowSize>(
    `select relname as table, n_live_tup::float8 as rows, pg_table_size(relid) / n_live_tup::float8 as "tableBytes",
       pg_indexes_size(relid) / n_live_tup::float8 as "indexBytes"
     from pg_stat_user_tables where n_live_tup >= 200 order by pg_total_relation_size(relid) desc`,
  );
  return rows;
}
