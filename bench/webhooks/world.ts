import { join } from 'node:path';
import { request } from 'undici';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { compile, compileCache, heapFlags } from '../../dev/applications.ts';
import { root } from '../../dev/home.ts';
import { startServer, startWorker, unusedServices } from '../processes.ts';
import type { OnEnd } from '../run.ts';
import type { Seeded, SeededSite, SeedSize } from '../seed.ts';
import { startTemporal } from '../servers.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';

/** The large Site takes the load over 16 connections; each small one takes one of the other parts. */
export const webhookSize: SeedSize = {
  smallSites: 5,
  articlesInLarge: 60_000,
  articlesInSmall: 1_200,
  keysInLarge: 2_000,
  keysInSmall: 40,
  uploads: 0,
};

/** An outage has to end within the run, retries included. */
const RETRY_DELAYS = '1s,2s,3s,4s,5s';

/** What an answer carries, as far as the benchmark reads it. */
export interface Resource {
  readonly id: string;
  readonly enabled?: boolean;
}

/** API, worker, Temporal and a receiver, all of them processes of their own, and what a client does. */
export interface WebhookWorld {
  readonly origin: string;
  readonly receiver: Receiver;
  readonly db: Database;
  readonly seeded: Seeded;
  /** Sends a request as a client of the Site does. @throws Error where the answer is not a 2xx */
  readonly call: (
    site: SeededSite,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
  ) => Promise<Resource>;
}

/**
 * @param flags for Node, of the API and the worker
 * @param onEnd is told what ends each of the processes
 */
export async function startWebhookWorld(
  home: string,
  databaseUrl: string,
  seeded: Seeded,
  flags: readonly string[],
  onEnd: OnEnd,
): Promise<WebhookWorld> {
  const receiver = await startReceiver();
  onEnd(() => receiver.stop());
  const { url: temporalAddress } = await startTemporal(home, onEnd);
  const hostOf = (origin: string): string => new URL(origin).host;
  const env = {
    ...unusedServices,
    ...compileCache(home),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    WEBHOOK_ALLOWED_HOSTS: [receiver.origin, receiver.deadOrigin].map(hostOf).join(),
    WEBHOOK_RETRY_DELAYS: RETRY_DELAYS,
  };
  const program = (name: 'api' | 'worker'): string[] => [
    ...flags,
    ...heapFlags(name),
    join(root, name, 'main.ts'),
  ];
  await compile(['api', 'worker'], home);
  const api = await startServer(program('api'), env, '/healthz', join(home, 'api.log'));
  onEnd(() => api.stop());
  const worker = await startWorker(program('worker'), env, join(home, 'worker.log'));
  onEnd(() => worker.stop());
  const db = createDatabase({
    connectionString: databaseUrl,
    applicationName: 'presswork-bench',
    poolSize: 2,
  });
  onEnd(() => db.close());
  return { origin: api.origin, receiver, db, seeded, call: client(api.origin) };
}

/** A key has 120 writes a minute: each request takes the next one. */
export function client(origin: string): WebhookWorld['call'] {
  let turn = 0;
  return async ({ keys }, method, path, body) => {
    const key = keys[(turn += 1) % keys.length] as string;
    const answer = await request(`${origin}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text).data;
  };
}
