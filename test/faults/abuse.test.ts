import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { root } from '../../runtime/home.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import type { Receiver } from '../support/receivers.ts';
import { buildKey, buildTenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import type { Order } from './support/abuse/attacker-process.ts';
import { Neighbour } from './support/abuse/neighbour.ts';
import type { Latencies } from './support/abuse/neighbour.ts';
import { startProduct } from './support/product.ts';
import type { Product } from './support/product.ts';
import { say } from './support/survive.ts';

/**
 * Mixed hostile traffic of strangers and of a tenant, next to an ordinary tenant. ABUSE_MINUTES sets the duration: one
 * minute by default, an hour before a release. The neighbour's times are printed, and nothing is asserted of them.
 */
const ABUSE_MS = Number(process.env['ABUSE_MINUTES'] || '1') * 60_000;
const CALM_MS = 10_000;
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
  'mixed abuse kills no process, leaks no memory, and fails none of a neighbour’s requests and webhooks',
  async () => {
    const pids = programs.map((name) => product.pid(name));
    const before = await neighbour.work(CALM_MS);
    const memory = programs.map(residentMegabytes);

    const [wrong, during] = await Promise.all([have({ abuseMs: ABUSE_MS }), neighbour.work(ABUSE_MS)]);
    expect(await have({ leave: true })).toEqual([]);
    const after = await neighbour.work(CALM_MS);
    await eventually('the memory of the abuse is released', () =>
      programs.every((name, at) => residentMegabytes(name) < (memory[at] ?? 0) * 1.5 + 60),
    );
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
  },
  ABUSE_MS + 300_000,
);
