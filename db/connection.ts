import type pg from 'pg';
import { spoilsConnection } from './failures.ts';

/** Uses a connection of the pool, which keeps it unless it was spoilt. */
export async function withConnection<T>(
  pool: pg.Pool,
  use: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await use(client);
  } catch (error) {
    if (spoilsConnection(error)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Has everything that is sent before anybody waits for an answer travel in one packet. */
export function inOnePacket<T>(client: pg.PoolClient, send: () => T): T {
  const { stream } = (client as unknown as pg.Client).connection;
  stream.cork();
  try {
    return send();
  } finally {
    process.nextTick(() => stream.uncork());
  }
}
