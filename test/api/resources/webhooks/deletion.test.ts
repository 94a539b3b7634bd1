import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { createHousekeepingActivities } from '../../../../activities/housekeeping.ts';
import { SETTLED_MS } from '../../../../domain/webhooks/leftovers.ts';
import type { Tenant } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';

/** More than two batches of housekeeping. */
const LOGGED = 12_000;
const WAITING = 6_000;

let stack: WebhookStack;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startWebhooks();
});
afterAll(() => stack.close());
beforeEach(async () => {
  tenant = await stack.newTenant();
});

const call = (method: string, path: string, body?: unknown) =>
  stack.api.request(method, path, { key: tenant.secretKey, body });
const query = (text: string, values: unknown[]) => stack.api.db.pool.query(text, values);

/** An endpoint with a log and with deliveries that wait. @returns its id */
async function busyEndpoint(url: string): Promise<string> {
  const { id } = await stack.endpoint(url, {}, tenant.secretKey);
  await query(
    `insert into webhook_deliveries
       (id, endpoint_id, event_id, event, attempt, status, duration_ms, attempted_at, redelivery)
     select gen_random_uuid(), $1, gen_random_uuid(), 'article.published', 1, 'failed', 5, now(), false
     from generate_series(1, ${LOGGED})`,
    [id],
  );
  await query(
    `with recorded as (
       insert into events (id, site_id, event, body, created_at)
       select gen_random_uuid(), $2, 'article.published', '{}', $3 from generate_series(1, ${WAITING}) returning id
     )
     insert into webhook_queue (endpoint_id, event_id, due_at) select $1, id, $3 from recorded`,
    [id, tenant.siteId, stack.clock.now()],
  );
  return id;
}

/** The remaining rows of an endpoint: log, queue, and the mark of its deletion. */
async function leftOf(id: string): Promise<readonly number[]> {
  const { rows } = await query(
    `select (select count(*)::int from webhook_deliveries where endpoint_id = $1) as logged,
       (select count(*)::int from webhook_queue where endpoint_id = $1) as queued,
       (select count(*)::int from deleted_webhook_endpoints where id = $1) as noted`,
    [id],
  );
  return [rows[0].logged, rows[0].queued, rows[0].noted];
}

const housekeeping = () => {
  const { db } = stack.api;
  return createHousekeepingActivities({ db, clock: stack.clock, log: pino({ level: 'silent' }) });
};

test('deleting an endpoint waits for no row of its log or queue, however many there are, and it is gone at once', async () => {
  const receiver = await stack.receiver();
  const id = await busyEndpoint(receiver.url);
  const { rows } = await query('select id from webhook_deliveries where endpoint_id = $1 limit 1', [id]);
  const other = await stack.api.db.pool.connect();
  try {
    await other.query('begin');
    await other.query('select from webhook_deliveries where endpoint_id = $1 for update', [id]);
    await other.query('select from webhook_queue where endpoint_id = $1 for update', [id]);
    expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(204);
  } finally {
    await other.query('rollback');
    other.release();
  }
  expect((await call('GET', '/webhooks')).data.items).toEqual([]);
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { description: 'back' }],
    ['DELETE', ''],
    ['GET', '/deliveries'],
    ['POST', '/ping'],
    ['POST', '/rotate-secret'],
    ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
    ['POST', `/deliveries/${rows[0].id}/redeliver`],
  ] as const)
    expect([path, (await call(method, `/webhooks/${id}${path}`, body)).status]).toEqual([path, 404]);
  await stack.deliver(id);
  expect(receiver.seen).toEqual([]);
});

test('housekeeping deletes the rows of all deleted endpoints, and none of others', async () => {
  const receiver = await stack.receiver();
  const kept = await busyEndpoint(receiver.url);
  const gone = [await busyEndpoint(receiver.url), await busyEndpoint(receiver.url)];
  for (const id of gone) expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(204);
  for (const id of gone) expect(await leftOf(id)).toEqual([LOGGED, WAITING, 1]);
  await housekeeping().deleteOldDeliveries();
  for (const id of gone) expect(await leftOf(id)).toEqual([LOGGED, WAITING, 1]);
  stack.clock.advance(SETTLED_MS);
  // Two workers at once, as during a deploy.
  await Promise.all([housekeeping().deleteOldDeliveries(), housekeeping().deleteOldDeliveries()]);
  await housekeeping().deleteOldDeliveries();
  for (const id of gone) expect(await leftOf(id)).toEqual([0, 0, 0]);
  expect(await leftOf(kept)).toEqual([LOGGED, WAITING, 0]);
});

test('an attempt in flight when its endpoint is deleted leaves no row behind', async () => {
  const held: ServerResponse[] = [];
  const receiver = await stack.receiver((_, response) => void held.push(response));
  const { id } = await stack.endpoint(receiver.url, {}, tenant.secretKey);
  await stack.emit(1, tenant.siteId);
  const sending = stack.deliver(id);
  await eventually('the attempt is in flight', () => held.length === 1);
  expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(204);
  stack.clock.advance(SETTLED_MS);
  await housekeeping().deleteOldDeliveries();
  held[0]!.writeHead(500).end();
  await sending;
  expect(await leftOf(id)).toEqual([0, 0, 0]);
});

test('an event recorded during the deletion of its endpoint leaves no row behind, and waits for no lock', async () => {
  const receiver = await stack.receiver();
  const { id } = await stack.endpoint(receiver.url, {}, tenant.secretKey);
  const other = await stack.api.db.pool.connect();
  try {
    await other.query('begin');
    await other.query('select from webhook_endpoints where id = $1 for update', [id]);
    await stack.emit(1, tenant.siteId);
  } finally {
    await other.query('rollback');
    other.release();
  }
  expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(204);
  expect(await leftOf(id)).toEqual([0, 1, 1]);
  stack.clock.advance(SETTLED_MS);
  await housekeeping().deleteOldDeliveries();
  expect(await leftOf(id)).toEqual([0, 0, 0]);
});
