import { Client, connectionSettings } from './client.ts';
import type { Access } from './client.ts';
import type { Query } from './statements.ts';
import { prepare } from './throughput/prepared-query.ts';
import { snapshotTimeouts } from './timeouts.ts';

/** Rows as they were at one moment. */
export interface Snapshot {
  /** All rows. */
  any<Row>(query: Query<Row>): Promise<readonly Row[]>;
  /** The same, a few rows at a time, so that memory does not grow with their number. */
  stream<Row>(query: Query<Row>): AsyncGenerator<Row>;
}

/** How to connect. */
export interface DatabaseLogin {
  readonly databaseUrl: string;
  readonly access: Access;
}

/** Rows that are fetched together: an article or an event may have a megabyte. */
const FETCHED = 20;

/**
 * Reads in one transaction, which sees nothing that is committed after its first statement. It has no time limit. While
 * it is open, the database keeps all versions of rows that it might see.
 */
export async function readSnapshot<Result>(
  { databaseUrl, access }: DatabaseLogin,
  applicationName: string,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const client = new Client(connectionSettings(databaseUrl, applicationName, snapshotTimeouts, access));
  client.on('error', () => {});
  await client.connect();
  let cursors = 0;
  try {
    await client.query('begin isolation level repeatable read read only');
    // The same for a pooler that lends connections, which get no settings of their own.
    await client.query(`set local timezone = 'UTC'; set local transaction_timeout = 0`);
    const result = await work({
      async any(query) {
        return (await client.query(prepare(query.sql).text, [...query.values])).rows as never[];
      },
      async *stream(query) {
        const select = prepare(query.sql).text;
        // The end of the transaction closes it.
        const cursor = `rows_${(cursors += 1)}`;
        await client.query(`declare ${cursor} no scroll cursor for ${select}`, [...query.values]);
        for (;;) {
          const { rows } = await client.query(`fetch ${FETCHED} from ${cursor}`);
          yield* rows as never[];
          if (rows.length < FETCHED) return;
        }
      },
    });
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}
