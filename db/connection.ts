import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { Client } from './client.ts';
import type { ConnectionSettings } from './client.ts';
import { DatabaseBusy, DatabaseUnreachable, isReadOnly, spoilsConnection } from './failures.ts';
import { send } from './throughput/prepared-query.ts';
import { silenceAfter } from './timeouts.ts';
import type { Timeouts } from './timeouts.ts';

/** Maximum number of statements and transactions that wait for a connection: each holds a request in memory. */
const MAX_WAITING = 1_000;
/** A connection that was idle for this long may be dead, and is probed before use. */
const UNUSED_MS = 5_000;
const PROBE_MS = 2_000;
const PROBE = { text: 'select' };
/** A connection is replaced at this age, so that all of them follow a name that points to another server by now. */
const LIFETIME_S = 15 * 60;

/** When each connection of a pool was last used, and when a connection of the pool last failed its probe. */
const lastUses = new WeakMap<pg.PoolClient, number>();
const silences = new WeakMap<pg.Pool, number>();
/** When a connection of the pool was last refused a write by a standby: all that are older may lead to that server. */
const departures = new WeakMap<pg.Pool, number>();

/** A pool of pipelined connections. A connection is closed if the server does not answer a statement in time. */
export function createPool(
  settings: ConnectionSettings & pg.PoolConfig,
  timeouts: Timeouts,
  size: number,
): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    Client: Client as unknown as new () => pg.ClientBase,
    max: size,
    maxLifetimeSeconds: LIFETIME_S,
    idleTimeoutMillis: 60_000,
    pipeline: true,
    query_timeout: silenceAfter(timeouts),
  });
  pool.on('release', (_, client) => lastUses.set(client, performance.now()));
  return pool;
}

/**
 * Takes a connection that is alive and takes writes, as far as that is known without a probe for each use.
 *
 * @throws DatabaseBusy if too many requests wait for a connection, DatabaseUnreachable if a new connection leads to a
 *   standby; and what the driver throws
 */
export async function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= MAX_WAITING) throw new DatabaseBusy('Too many requests wait for a connection');
  for (;;) {
    const client = (await pool.connect()) as Client & pg.PoolClient;
    const isNew = !lastUses.has(client);
    const error = isNew ? standby(client) : await whyNotUsable(pool, client);
    if (error === null) return client;
    client.release(error);
    if (isNew) throw error;
  }
}

const standby = (client: Client): Error | null =>
  client.isReadOnly ? new DatabaseUnreachable('The server is read-only, as a standby is') : null;

/** Why a connection that was used before is given up, or null. */
async function whyNotUsable(pool: pg.Pool, client: Client & pg.PoolClient): Promise<Error | null> {
  if (client.isReadOnly) departures.set(pool, performance.now());
  if (client.since <= (departures.get(pool) ?? -1)) return new Error('Its server has become a standby');
  const lastUse = lastUses.get(client) ?? 0;
  const asked = performance.now();
  if (asked - lastUse < UNUSED_MS) return null;
  // After one failed probe, connections that were idle before it are not probed one after another.
  const silent = lastUse < (silences.get(pool) ?? 0) ? new Error('Silent') : await probe(client);
  if (silent === null) return standby(client);
  silences.set(pool, asked);
  destroyConnection(client);
  return silent;
}

const probe = (client: pg.PoolClient): Promise<Error | null> =>
  send(client, PROBE, [], PROBE_MS).then(
    () => null,
    (error: Error) => error,
  );

/** Closes a connection without a farewell message, which a silent server would not receive. */
export const destroyConnection = (client: pg.ClientBase): void =>
  void (client as unknown as pg.Client).connection.stream.destroy();

/** Returns a connection to its pool, which closes it if it is broken or still in a transaction. */
export function release(pool: pg.Pool, client: pg.PoolClient, broken?: Error): void {
  if (isReadOnly(broken)) departures.set(pool, performance.now());
  const status = client.getTransactionStatus();
  const ended = status === null || status === 'I';
  client.release(broken ?? (ended ? undefined : new Error('The connection is still in a transaction')));
}

/** Uses a connection of the pool, and returns it unless it was spoilt. */
export async function withConnection<T>(
  pool: pg.Pool,
  use: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await acquire(pool);
  let broken: Error | undefined;
  try {
    return await use(client);
  } catch (error) {
    if (spoilsConnection(error)) broken = error as Error;
    throw error;
  } finally {
    release(pool, client, broken);
  }
}

/** Sends everything that `send` writes before its first wait in one packet. */
export function inOnePacket<T>(client: pg.PoolClient, send: () => T): T {
  const { stream } = (client as unknown as pg.Client).connection;
  stream.cork();
  try {
    return send();
  } finally {
    process.nextTick(() => stream.uncork());
  }
}
