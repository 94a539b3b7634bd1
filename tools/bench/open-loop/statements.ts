import pg from 'pg';

/** A statement with PostgreSQL's counters. */
export interface StatementCost {
  readonly calls: number;
  /** Mean milliseconds per call. */
  readonly mean: number;
  /** Mean milliseconds of planning, in addition. */
  readonly planning: number;
  readonly longest: number;
  readonly total: number;
  readonly text: string;
}

const SHOWN = 15;

/** Resets the counters. */
export async function resetStatements(databaseUrl: string): Promise<void> {
  await connected(databaseUrl, async (client) => {
    await client.query('create extension if not exists pg_stat_statements');
    await client.query('select pg_stat_statements_reset()');
  });
}

/** The statements that took most of the time, and those with the slowest call. */
export function costliestStatements(databaseUrl: string): Promise<readonly StatementCost[]> {
  return connected(databaseUrl, async (client) => {
    const { rows } = await client.query<StatementCost>(
      `with counted as (
         select sum(calls)::float8 as calls, sum(total_exec_time) / greatest(sum(calls), 1) as mean,
           sum(total_plan_time) / greatest(sum(calls), 1) as planning,
           max(max_exec_time) as longest, sum(total_exec_time + total_plan_time) as total,
           regexp_replace(query, '\\s+', ' ', 'g') as text
         from pg_stat_statements
         where dbid = (select oid from pg_database where datname = current_database())
           and query !~* '^(begin|commit|rollback|create|select pg_stat|vacuum|checkpoint|set )'
         group by 6
       )
       select * from counted c
       where c.total >= (select total from counted order by total desc offset least($1, (select count(*) from counted)) - 1 limit 1)
          or c.longest >= (select longest from counted order by longest desc offset least($1, (select count(*) from counted)) - 1 limit 1)
       order by total desc`,
      [SHOWN],
    );
    return rows;
  });
}

export const formatStatements = (costs: readonly StatementCost[]): string =>
  [
    '   calls    mean ms  planning   longest ms   total ms',
    ...costs.map(
      ({ calls, mean, planning, longest, total, text }) =>
        `${String(calls).padStart(8)} ${mean.toFixed(3).padStart(10)} ${planning.toFixed(3).padStart(9)} ${longest.toFixed(1).padStart(12)} ` +
        `${total.toFixed(0).padStart(10)}  ${abridged(text.trim())}`,
    ),
  ].join('\n');

async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The beginning and the end identify a statement. */
const abridged = (text: string): string =>
  text.length <= 260 ? text : `${text.slice(0, 60)} … ${text.slice(-200)}`;
