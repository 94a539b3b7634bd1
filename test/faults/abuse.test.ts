import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { root } from '../../runtime/home.ts';
import { closeReceivers, httpReceiver } from '../adapters/http/receivers.ts';
import type { Receiver } from '../adapters/http/receivers.ts';
import { buildKey, buildTenant } from '../support/builders.ts';
import type { Order } from './support/abuse/attacker-process.ts';
import { Neighbour } from './support/abuse/neighbour.ts';
import type { Action, Latencies } from './support/abuse/neighbour.ts';
import { startProduct } from './support/product.ts';
import type { Product } from './support/product.ts';
import { say } from './support/survive.ts';

/**
 * Mixed hostile traffic of strangers and of a tenant, next to an ordinary tenant. ABUSE_MINUTES sets the duration: two
 * minutes by default, an hour before a release.
 */
const ABUSE_MS = Number(process.env['ABUSE_MINUTES'] || '2') * 60_000;
const MEASURE_MS = 30_000;
/** Waits until the pending work of the abuse is done, and its memory is released. */
const REST_MS = 30_000;
const programs = ['api', 'worker'] as const;

let product: Product;
let db: Database;
let neighbour: Neighbour;
let attacker: ChildProcess;

beforeAll(async () => {
  // One that is slow and accepts everything, one that refuses, and the neighbour's.
  const [slow, refusing, answering] = await Promise.all([
    forgetfulReceiver((response) => void setTimeout(() => response.end(), 9_000)),
    forgetfulReceiver((response) => void response.writeHead(500).end()),
    httpReceiver((_, response) => response.end()),
  ]);
  const hosts = [slow, refusing, answering].map(({ url }) => new URL(url).host);
  product = await startProduct({ WEBHOOK_ALLOWED_HOSTS: hosts.join(','), TRUSTED_PROXIES: '127.0.0.1' });
  db = createDatabase({
    connectionString: product.addresses.database_url,
    applicationName: 'fault-tests',
    poolSize: 2,
  });
  const [victim, stranger] = [await buildTenant(db), await buildTenant(db)];
  const agent = await buildKey(db, stranger.siteId, stranger.memberId, { heldByAgent: true });
  neighbour = new Neighbour(`${product.origin}/v1`, victim, answering);
  await neighbour.call(null, 'POST', '/webhooks', {
    url: `${answering.url}/neighbour`,
    events: ['article.published'],
  });
  attacker = fork(join(root, 'test/faults/support/abuse/attacker-process.ts'), { execArgv: [] });
  const hooks = [...Array(7).fill(`${slow.url}/`), `${refusing.url}/1`, `${refusing.url}/2`] as string[];
  const attack = { origin: product.origin, tenant: stranger, agentKey: agent.secret, hooks };
  expect(await have({ prepare: attack })).toEqual([]);
}, 180_000);
afterAll(async () => {
  attacker.disconnect();
  await db.close();
  await product.stop();
  await closeReceivers();
});

/** Stores nothing of what it receives, which is gigabytes in an hour. */
async function forgetfulReceiver(answer: (response: ServerResponse) => void): Promise<Receiver> {
  const receiver = await httpReceiver((_, response) => {
    receiver.seen.length = 0;
    answer(response);
  });
  return receiver;
}

/** Sends the attacker an order. @returns the answers that must not occur */
async function have(order: Order): Promise<readonly string[]> {
  attacker.send(order);
  const [wrong] = (await once(attacker, 'message')) as [readonly string[]];
  return wrong;
}

const residentMegabytes = (name: (typeof programs)[number]): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${product.pid(name)}/status`, 'utf8'))?.[1]) / 1024;

const shown = (latencies: Latencies): string =>
  Object.entries(latencies)
    .map(([action, { p50, p99 }]) => `${action} ${p50}/${p99}`)
    .join(', ');

test(
  'mixed abuse kills no process, leaks no memory, and does not affect a neighbour’s requests and webhooks',
  async () => {
    await neighbour.work(MEASURE_MS / 3);
    const pids = programs.map((name) => product.pid(name));
    const before = await neighbour.work(MEASURE_MS);
    const memory = programs.map(residentMegabytes);

    const [wrong, during] = await Promise.all([have({ abuseMs: ABUSE_MS }), neighbour.work(ABUSE_MS)]);
    expect(await have({ leave: true })).toEqual([]);
    await sleep(REST_MS);
    const after = await neighbour.work(MEASURE_MS);
    const kept = programs.map(residentMegabytes);

    say(`p50/p99 in ms, before: ${shown(before)}; during: ${shown(during)}; after: ${shown(after)}`);
    const megabytes = programs.map(
      (name, at) => `${name} ${memory[at]?.toFixed(0)} → ${kept[at]?.toFixed(0)}`,
    );
    say(`resident MB: ${megabytes.join(', ')}`);
    expect(neighbour.wrong).toEqual([]);
    expect(wrong).toEqual([]);
    expect(product.deaths()).toEqual([]);
    expect(programs.map((name) => product.pid(name))).toEqual(pids);
    for (const [at, megabytesBefore] of memory.entries())
      expect(kept[at]).toBeLessThan(megabytesBefore * 1.5 + 60);
    for (const action of Object.keys(before) as Action[]) {
      expect(after[action].count).toBeGreaterThan(10);
      expect(after[action].p50).toBeLessThan(before[action].p50 * 2 + 50);
      expect(after[action].p99).toBeLessThan(before[action].p99 * 2 + 250);
    }
  },
  ABUSE_MS + 300_000,
);
