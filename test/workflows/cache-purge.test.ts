import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { createCachePurger } from '../../adapters/http/cache-purger.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import type { Receiver } from '../support/receivers.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { startTimeSkippingStack } from './time-skipping-stack.ts';
import type { TimeSkippingStack } from './time-skipping-stack.ts';

const http = createGuardedClient();
let cache: Receiver;
let failures = 0;
let stack: TimeSkippingStack;
let tenant: Tenant;

beforeAll(async () => {
  cache = await httpReceiver((_, response) => {
    failures -= 1;
    response.writeHead(failures >= 0 ? 503 : 204).end();
  });
  stack = await startTimeSkippingStack(createCachePurger(http, `${cache.url}/purge`, 'http://files.example'));
  tenant = await buildTenant(stack.api.db);
});
afterAll(async () => {
  await stack.close();
  await http.close();
  await closeReceivers();
});
beforeEach(() => {
  cache.seen.length = 0;
});

async function publish(title: string): Promise<void> {
  const { id } = await buildArticle(stack.api, tenant.secretKey, { title, content: 'Text.' });
  const answer = await stack.api.request('POST', `/articles/${id}/publish`, { key: tenant.secretKey });
  expect(answer.status).toBe(200);
}

const owed = async (): Promise<{ id: string; urls: string[]; keys: string[] }[]> =>
  (await stack.api.db.pool.query('select id, urls, keys from cache_purges')).rows;
const waiting = async (): Promise<unknown[]> => (await stack.api.db.pool.query('select id from outbox')).rows;

test('a cache that answers is called once, without a workflow', async () => {
  failures = 0;
  await publish('Told at once');
  await eventually('no purge is pending', async () => (await owed()).length === 0);
  expect(await waiting()).toEqual([]);
  await stack.pass(60_000);
  expect(cache.seen).toHaveLength(1);
});

test('a failing cache is called again until it answers, and then no more', async () => {
  failures = 7;
  await publish('Told in the end');
  await eventually('the request has tried', () => cache.seen.length === 1);
  const [purge] = await owed();
  await stack.pass(6_000);
  await eventually('the message is handed over', async () => (await waiting()).length === 0);
  const workflow = stack.temporal.client.workflow.getHandle(`cache-purge/${purge?.id}`);
  await workflow.result();
  expect(await owed()).toEqual([]);
  expect(cache.seen).toHaveLength(8);
  for (const { method, path, body } of cache.seen) {
    expect([method, path]).toEqual(['POST', '/purge']);
    expect(JSON.parse(body)).toEqual({ urls: purge?.urls, keys: purge?.keys });
  }
  await stack.pass(3_600_000);
  expect(cache.seen).toHaveLength(8);
});
