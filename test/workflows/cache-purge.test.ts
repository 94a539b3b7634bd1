import { createGuardedClient } from '../../net/guarded-client.ts';
import { createCachePurger } from '../../net/cache-purger.ts';
import { closeReceivers, httpReceiver } from '../net/receivers.ts';
import type { Receiver } from '../net/receivers.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startSkippedTime } from './skipped-time.ts';
import type { SkippedTime } from './skipped-time.ts';

const http = createGuardedClient();
let cache: Receiver;
let failures = 0;
let world: SkippedTime;
let tenant: Tenant;

beforeAll(async () => {
  cache = await httpReceiver((_, response) => {
    failures -= 1;
    response.writeHead(failures >= 0 ? 503 : 204).end();
  });
  world = await startSkippedTime(createCachePurger(http, `${cache.url}/purge`));
  tenant = await buildTenant(world.api.db);
});
afterAll(async () => {
  await world.close();
  await http.close();
  await closeReceivers();
});
beforeEach(() => {
  cache.seen.length = 0;
});

async function publish(title: string): Promise<void> {
  const { id } = await buildArticle(world.api, tenant.secretKey, { title, content: 'Text.' });
  const answer = await world.api.request('POST', `/articles/${id}/publish`, { key: tenant.secretKey });
  expect(answer.status).toBe(200);
}

const owed = async (): Promise<{ id: string; urls: string[] }[]> =>
  (await world.api.db.pool.query('select id, urls from cache_purges')).rows;
const waiting = async (): Promise<unknown[]> => (await world.api.db.pool.query('select id from outbox')).rows;

test('a cache that answers is told once, and no process is started for it', async () => {
  failures = 0;
  await publish('Told at once');
  await eventually('nothing is owed', async () => (await owed()).length === 0);
  expect(await waiting()).toEqual([]);
  await world.pass(60_000);
  expect(cache.seen).toHaveLength(1);
});

test('a cache that fails is told again until it answers, and then no more', async () => {
  failures = 7;
  await publish('Told in the end');
  await eventually('the request has tried', () => cache.seen.length === 1);
  const [purge] = await owed();
  await world.pass(6_000);
  await eventually('the message is handed over', async () => (await waiting()).length === 0);
  const process = world.temporal.client.workflow.getHandle(`cache-purge/${purge?.id}`);
  await process.result();
  expect(await owed()).toEqual([]);
  expect(cache.seen).toHaveLength(8);
  for (const { method, path, body } of cache.seen) {
    expect([method, path]).toEqual(['POST', '/purge']);
    expect(JSON.parse(body)).toEqual({ urls: purge?.urls });
  }
  await world.pass(3_600_000);
  expect(cache.seen).toHaveLength(8);
});
