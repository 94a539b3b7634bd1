import { freePort } from '../../runtime/free-port.ts';
import { closeReceivers, httpReceiver } from '../support/receivers.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { endWorkers, spawnApi, spawnWorker } from '../worker/processes.ts';
import type { WorkerProcess } from '../worker/processes.ts';
import { runAdmin } from './administrator.ts';
import type { Run } from './administrator.ts';

let api: TestApi;
let temporal: TestTemporal;
let worker: WorkerProcess;
let origin: string;
let tenant: Tenant;
/** Where the canary listens, and a receiver that refuses what it gets. */
let address: string;
let refusing: string;

beforeAll(async () => {
  [api, temporal] = await Promise.all([startApi(), startTemporal()]);
  const bad = await httpReceiver((_, response) => response.writeHead(500).end());
  address = `127.0.0.1:${await freePort()}`;
  refusing = bad.url;
  const settings = {
    databaseUrl: api.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: { WEBHOOK_ALLOWED_HOSTS: `${address},${new URL(bad.url).host}` },
  };
  worker = spawnWorker(settings);
  await worker.working;
  const spawned = await spawnApi(settings);
  await spawned.working;
  ({ origin } = spawned);
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterAll(async () => {
  endWorkers();
  await Promise.all([closeReceivers(), temporal.close()]);
  await api.close();
});

const canary = (...args: readonly string[]): Promise<Run> =>
  runAdmin(['canary', ...args], { PUBLIC_URL: origin, CANARY_KEY: tenant.secretKey });

/** What is there of a Site; the queue of a deleted endpoint is housekeeping's. */
async function leftBehind(): Promise<unknown> {
  const { rows } = await api.db.pool.query(
    `select (select count(*)::int from articles where site_id = $1) as articles,
       (select count(*)::int from webhook_endpoints where site_id = $1) as endpoints,
       (select count(*)::int from webhook_queue q join webhook_endpoints w on w.id = q.endpoint_id where w.site_id = $1) as queued`,
    [tenant.siteId],
  );
  return rows[0];
}
const nothing = { articles: 0, endpoints: 0, queued: 0 };

test('it publishes on time, receives the signed delivery, says how long each step took, and leaves nothing behind', async () => {
  const { code, json, stderr } = await canary('--listen', address);
  expect([code, stderr]).toEqual([0, '']);
  expect(json).toEqual({
    ok: true,
    published_late_ms: expect.any(Number),
    delivered_after_ms: expect.any(Number),
    steps: Object.fromEntries(
      ['sweep', 'endpoint', 'create', 'schedule', 'publish', 'deliver', 'clean'].map((name) => [
        name,
        expect.any(Number),
      ]),
    ),
  });
  expect(json.published_late_ms).toBeGreaterThanOrEqual(0);
  expect(await leftBehind()).toEqual(nothing);
});

test('what a killed one has left is deleted by the next, and nothing else is', async () => {
  const request = { key: tenant.secretKey, idempotencyKey: true } as const;
  for (const title of ['Canary', 'Canary', 'Mine'])
    await api.request('POST', '/articles', { ...request, body: { title, content: 'Text.' } });
  const { rows } = await api.db.pool.query(
    `update articles set created_at = now() - interval '11 minutes'
     where id = (select min(id::text)::uuid from articles where site_id = $1) returning id`,
    [tenant.siteId],
  );
  await api.request('POST', '/webhooks', {
    key: tenant.secretKey,
    body: { url: `http://${address}/`, events: ['article.published'] },
  });
  expect((await canary('--listen', address)).code).toBe(0);
  const left = await api.db.pool.query('select id, title from articles where site_id = $1 order by title', [
    tenant.siteId,
  ]);
  expect(left.rows.map(({ title }) => title)).toEqual(['Canary', 'Mine']);
  expect(left.rows.map(({ id }) => id)).not.toContain(rows[0].id);
});

test('a receiver that refuses fails it: exit 1, with the step and the answer; it cleans up all the same', async () => {
  const { code, json, stderr } = await canary('--receiver', refusing, '--timeout', '8');
  expect(code).toBe(1);
  expect(json).toMatchObject({ ok: false, failed: 'deliver', reason: expect.stringContaining('status 500') });
  expect(stderr).toContain('The canary failed at deliver');
  expect(await leftBehind()).toEqual(nothing);
});

test('without a key, or without an address, it is wrong usage', async () => {
  const missing = await runAdmin(['canary', '--listen', address], { PUBLIC_URL: origin });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--key')]);
  const both = await canary('--listen', address, '--receiver', refusing);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--receiver')]);
});

test('without a worker nothing is published: exit 1 at that step, with nothing left behind', async () => {
  await worker.stop();
  const { code, json } = await canary('--listen', address, '--timeout', '5');
  expect(code).toBe(1);
  expect(json).toMatchObject({ ok: false, failed: 'publish', reason: 'it took too long' });
  expect(await leftBehind()).toEqual(nothing);
});
