import { startOnSharedDatabase } from '../../../support/api.ts';
import type { Tenant } from '../../../support/builders.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';

let stack: WebhookStack;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterAll(() => stack.close());
beforeEach(async () => {
  tenant = await stack.newTenant();
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  stack.api.request(method, path, { key: tenant.secretKey, body, headers });
const create = (url = 'https://receiver.example/hooks') => stack.endpoint(url, {}, tenant.secretKey);
const etag = async (id: string) => (await call('GET', `/webhooks/${id}`)).headers.get('etag');

/** Makes an endpoint's receiver refuse this many deliveries. */
async function fail(id: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect((await call('POST', `/webhooks/${id}/ping`)).status).toBe(202);
    await stack.deliver(id);
  }
}

test('the sent members change, and the rest stays', async () => {
  const { id, secret: _, secret_replayable: __, ...created } = await create();
  stack.clock.advance(1_000);
  const changed = await call('PATCH', `/webhooks/${id}`, {
    url: 'https://other.example/',
    events: ['comment.created'],
  });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).toBe('W/"2"');
  expect(changed.data).toEqual({
    ...created,
    id,
    url: 'https://other.example/',
    events: ['comment.created'],
    updated_at: changed.data.updated_at,
  });
  expect(changed.data.updated_at > created.updated_at).toBe(true);
});

test('a change without effect keeps the ETag and updated_at', async () => {
  const { id, url, events, updated_at } = await create();
  const same = await call('PATCH', `/webhooks/${id}`, { url, events, description: null, enabled: true });
  expect([same.headers.get('etag'), same.data.updated_at]).toEqual(['W/"1"', updated_at]);
});

test.each(['PATCH', 'DELETE'])(
  'If-Match with an old version refuses %s with 412, and nothing is written',
  async (method) => {
    const { id } = await create();
    await call('PATCH', `/webhooks/${id}`, { description: 'first' });
    const body = method === 'PATCH' ? { description: 'second', enabled: false } : undefined;
    const refused = await call(method, `/webhooks/${id}`, body, { 'if-match': 'W/"1"' });
    expect([refused.status, refused.json.error.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await call('GET', `/webhooks/${id}`)).data).toMatchObject({
      description: 'first',
      enabled: true,
    });
    expect((await call(method, `/webhooks/${id}`, body, { 'if-match': 'W/"2"' })).status).toBeLessThan(300);
  },
);

test('an unchanged endpoint is 304 to If-None-Match', async () => {
  const { id } = await create();
  expect((await call('GET', `/webhooks/${id}`, undefined, { 'if-none-match': 'W/"1"' })).status).toBe(304);
});

test('the failure counter does not change the ETag; disabling does', async () => {
  const receiver = await stack.receiver(500);
  const { id } = await create(receiver.url);
  const before = await etag(id);
  await fail(id, 11);
  expect((await call('GET', `/webhooks/${id}`)).data).toMatchObject({
    consecutive_failures: 11,
    enabled: true,
  });
  expect(await etag(id)).toBe(before);
  const kept = await call('PATCH', `/webhooks/${id}`, {}, { 'if-match': before! });
  expect(kept.status).toBe(200);
  await fail(id, 1);
  const disabled = await call('GET', `/webhooks/${id}`);
  expect(disabled.headers.get('etag')).not.toBe(before);
  expect(disabled.data).toMatchObject({
    consecutive_failures: 12,
    enabled: false,
    disabled_reason: expect.stringContaining('12'),
    disabled_at: expect.any(String),
  });
  const { rows } = await stack.api.db.pool.query(
    `select action, actor_kind from audit_log where target_id = $1 and action = 'webhook.disable'`,
    [id],
  );
  expect(rows).toEqual([{ action: 'webhook.disable', actor_kind: 'system' }]);
});

test('enabling clears reason, time and counter, and sends no missed event', async () => {
  const receiver = await stack.receiver(500);
  const { id } = await create(receiver.url);
  await fail(id, 12);
  const sent = receiver.seen.length;
  const enabled = await call('PATCH', `/webhooks/${id}`, { enabled: true });
  expect(enabled.data).toMatchObject({
    enabled: true,
    disabled_reason: null,
    disabled_at: null,
    consecutive_failures: 0,
  });
  stack.clock.advance(24 * 60 * 60_000);
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(sent);
});

test('disabling by request is reported, ends the waiting retries and queues no new events', async () => {
  const receiver = await stack.receiver(500);
  const { id } = await create(receiver.url);
  await fail(id, 2);
  const disabled = await call('PATCH', `/webhooks/${id}`, { enabled: false });
  expect(disabled.data).toMatchObject({
    enabled: false,
    disabled_reason: 'disabled by request',
    disabled_at: disabled.data.updated_at,
  });
  const waiting = async () =>
    (await stack.api.db.pool.query('select from webhook_queue where endpoint_id = $1', [id])).rowCount;
  expect(await waiting()).toBe(0);
  const article = await call(
    'POST',
    '/articles',
    { title: 'Missed', content: 'x' },
    { 'idempotency-key': 'a' },
  );
  expect((await call('POST', `/articles/${article.data.id}/publish`)).status).toBe(200);
  expect(await waiting()).toBe(0);
  const again = await call('PATCH', `/webhooks/${id}`, { enabled: false });
  expect(again.headers.get('etag')).toBe(disabled.headers.get('etag'));
});

test('a deleted endpoint is gone with its log and its queue', async () => {
  const receiver = await stack.receiver(500);
  const { id } = await create(receiver.url);
  await fail(id, 1);
  const deleted = await call('DELETE', `/webhooks/${id}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await call('GET', `/webhooks/${id}`)).status).toBe(404);
  expect((await call('GET', `/webhooks/${id}/deliveries`)).status).toBe(404);
  expect((await call('DELETE', `/webhooks/${id}`)).status).toBe(404);
  stack.clock.advance(60_000);
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(1);
});

test('every write is in the audit log, without the secret', async () => {
  const { id, secret } = await create();
  const rotated = await call('POST', `/webhooks/${id}/rotate-secret`);
  await call('PATCH', `/webhooks/${id}`, { enabled: false });
  await call('PATCH', `/webhooks/${id}`, { enabled: true });
  await call('PATCH', `/webhooks/${id}`, { description: 'x' });
  await call('DELETE', `/webhooks/${id}`);
  const { rows } = await stack.api.db.pool.query(
    'select action, a::text as row from audit_log a where target_id = $1 order by at, id',
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'webhook.create',
    'webhook.rotate_secret',
    'webhook.disable',
    'webhook.enable',
    'webhook.update',
    'webhook.delete',
  ]);
  for (const { row } of rows) {
    expect(row).not.toContain(secret);
    expect(row).not.toContain(rotated.data.secret);
  }
});
