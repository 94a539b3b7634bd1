import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';
import { absent, runAdmin } from './administrator.ts';
import type { Run } from './administrator.ts';

let stack: WebhookStack;

beforeAll(async () => {
  stack = await startWebhooks();
});
afterAll(() => stack.close());

const admin = (...args: string[]): Promise<Run> =>
  runAdmin(['webhook', ...args], { DATABASE_URL: stack.api.url });

/** The endpoint of a new Site, whose receiver answers as it is told. */
async function build(status: () => number = () => 200) {
  const tenant = await stack.newTenant();
  const receiver = await stack.receiver((_, response) => void response.writeHead(status()).end());
  const { id } = await stack.endpoint(receiver.url, {}, tenant.secretKey);
  return { id, tenant, receiver, emit: (count = 1) => stack.emit(count, tenant.siteId) };
}

const audited = async (id: string): Promise<string[]> =>
  (
    await stack.api.db.pool.query(
      `select action from audit_log where target_id = $1 and actor_kind = 'system' and actor_name = 'operator' order by at, id`,
      [id],
    )
  ).rows.map(({ action }) => action);

test('a paused endpoint is listed and gets nothing until it is resumed, and both are in the audit log once', async () => {
  const { id, receiver, tenant, emit } = await build();
  expect((await admin('pause', '--endpoint', id)).json).toEqual({ id, paused: true });
  expect((await admin('pause', '--endpoint', id)).json).toEqual({ id, paused: true });
  await emit();
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(0);
  const { json } = await admin('list', '--paused', '--site', tenant.siteId);
  expect(json).toEqual({
    endpoints: [
      expect.objectContaining({ id, site_id: tenant.siteId, paused: true, waiting: 1, enabled: true }),
    ],
    more: false,
  });
  expect(Date.parse(json.endpoints[0].paused_at)).toBeGreaterThan(Date.now() - 600_000);
  expect((await admin('resume', '--endpoint', id)).json).toEqual({ id, paused: false });
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(1);
  expect((await admin('list', '--paused', '--site', tenant.siteId)).json.endpoints).toEqual([]);
  expect(await audited(id)).toEqual(['webhook.pause', 'webhook.resume']);
});

test('an event is redelivered, and missed ones are replayed, for an endpoint with an empty queue', async () => {
  const { id, receiver, emit } = await build();
  const [event] = await emit();
  await stack.deliver(id);
  expect((await admin('redeliver', '--endpoint', id, '--event', event!)).json).toEqual({
    id,
    event_id: event,
  });
  await stack.deliver(id);
  expect(receiver.seen.map(({ body }) => JSON.parse(body).id)).toEqual([event, event]);
  await stack.api.db.pool.query('delete from webhook_deliveries where endpoint_id = $1', [id]);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect((await admin('replay', '--endpoint', id, '--since', since)).json).toEqual({ id, events: 1 });
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(3);
  expect(await audited(id)).toEqual(['webhook.redeliver', 'webhook.replay']);
});

test('endpoints disabled by an outage are enabled together and get what they missed; one disabled by request stays disabled', async () => {
  let status = 500;
  const failing = await build(() => status);
  await failing.emit(12);
  await stack.deliver(failing.id);
  const byHand = await build();
  const off = { key: byHand.tenant.secretKey, body: { enabled: false } };
  await stack.api.request('PATCH', `/webhooks/${byHand.id}`, off);
  status = 200;
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { json } = await admin('enable', '--disabled-since', since, '--replay-since', since);
  expect(json).toEqual({ endpoints: [{ id: failing.id, events: 12 }] });
  // On a busy machine an attempt may be handed back, and is due again a little later.
  await eventually('all twelve have arrived', async () => {
    await stack.deliver(failing.id);
    const arrived = (await stack.attempts(failing.id)).filter((row) => row.status === 'succeeded');
    return arrived.length === 12;
  });
  expect(await audited(failing.id)).toEqual(['webhook.enable', 'webhook.replay']);
  const read = await stack.api.request('GET', `/webhooks/${byHand.id}`, { key: byHand.tenant.secretKey });
  expect(read.data.enabled).toBe(false);
});

test.each([
  ['an endpoint that is no uuid', 2, ['pause', '--endpoint', 'ENDPOINT']],
  ['an event that is no uuid', 2, ['redeliver', '--endpoint', absent, '--event', 'EVENT_ID']],
  ['no event', 2, ['redeliver', '--endpoint', absent]],
  ['a time without an offset', 2, ['replay', '--endpoint', absent, '--since', '2026-03-01']],
  ['neither an endpoint nor a time', 2, ['enable']],
  ['an unknown endpoint', 1, ['pause', '--endpoint', absent]],
  [
    'an unknown endpoint to replay for',
    1,
    ['replay', '--endpoint', absent, '--since', '2026-03-01T00:00:00Z'],
  ],
])('%s is refused with exit %i, on stderr alone', async (_name, code, args) => {
  const run = await admin(...args);
  expect([run.code, run.stdout]).toEqual([code, '']);
  expect(run.stderr).toMatch(/\w/);
});
