import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { request } from 'undici';
import { createDatabase } from '../../../db/database.ts';
import type { Database } from '../../../db/database.ts';
import { freePort } from '../../../runtime/free-port.ts';
import { ActionCounter } from '../temporal-actions.ts';
import { startApi, startWorker } from '../processes.ts';
import type { StartedProcess } from '../processes.ts';
import type { OnEnd } from '../run.ts';
import type { Seeded, SeededSite, SeedSize } from '../seed.ts';
import { startTemporal } from '../servers.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';

/** The large Site receives the load over 16 connections; each small one is used by one of the other parts. */
export const webhookSize: SeedSize = {
  smallSites: 7,
  articlesInLarge: 60_000,
  articlesInSmall: 1_200,
  keysInLarge: 2_000,
  keysInSmall: 40,
};

/** Short enough that an outage, including retries, ends within the run. */
const RETRY_DELAYS = '1s,2s,3s,4s,5s';

/** The members of an answer that the benchmark reads. */
export interface Resource {
  readonly id: string;
  readonly enabled?: boolean;
}

/** API, worker, Temporal and a receiver, each in its own process, and a client. */
export interface WebhookStack {
  readonly origin: string;
  readonly receiver: Receiver;
  readonly db: Database;
  readonly seeded: Seeded;
  readonly actions: ActionCounter;
  /** Starts more workers. @returns ends them */
  readonly addWorkers: (count: number) => Promise<() => Promise<void>>;
  /** The sum of a counter over all workers. */
  readonly count: (counter: string) => Promise<number>;
  /** Sends a request as a client of the Site does. @throws Error if the answer is not a 2xx */
  readonly call: (
    site: SeededSite,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
  ) => Promise<Resource>;
}

/**
 * @param flags for Node, for the API and the worker
 * @param onEnd registers how each process is stopped
 */
export async function startWebhookStack(
  home: string,
  databaseUrl: string,
  seeded: Seeded,
  flags: readonly string[],
  onEnd: OnEnd,
): Promise<WebhookStack> {
  const receiver = await startReceiver();
  onEnd(() => receiver.stop());
  const { url: temporalAddress } = await startTemporal(home, onEnd);
  const hostOf = (origin: string): string => new URL(origin).host;
  const env = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    WEBHOOK_ALLOWED_HOSTS: [receiver.origin, receiver.deadOrigin].map(hostOf).join(),
    WEBHOOK_RETRY_DELAYS: RETRY_DELAYS,
  };
  const api = await startApi({ env, logFile: join(home, 'api.log'), flags }, onEnd);
  /** Where the workers show their metrics. */
  const ports: number[] = [];
  const addWorker = async (): Promise<StartedProcess> => {
    const port = await freePort();
    ports.push(port);
    const logFile = join(home, `worker-${ports.length}.log`);
    return startWorker({ env: { ...env, METRICS_PORT: String(port) }, logFile, flags }, onEnd);
  };
  await addWorker();
  const connection = await Connection.connect({ address: temporalAddress });
  onEnd(() => connection.close());
  const db = createDatabase({
    connectionString: databaseUrl,
    applicationName: 'presswork-bench',
    poolSize: 2,
  });
  onEnd(() => db.close());
  return {
    origin: api.origin,
    receiver,
    db,
    seeded,
    call: client(api.origin),
    actions: new ActionCounter(new Client({ connection })),
    async addWorkers(count) {
      const before = ports.length;
      const added: StartedProcess[] = [];
      // One after the other: on a busy machine two that start at once may take too long.
      while (added.length < count) added.push(await addWorker());
      return async () => {
        await Promise.all(added.map((worker) => worker.stop()));
        ports.length = before;
      };
    },
    async count(counter) {
      const counts = await Promise.all(ports.map((port) => readCounter(port, counter)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

async function readCounter(port: number, counter: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const line = (await answer.text()).split('\n').find((each) => each.split(/[ {]/)[0] === counter);
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** A key may write 120 times a minute, so each request takes the next key. */
export function client(origin: string): WebhookStack['call'] {
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
