import { startOnSharedDatabase } from '../../../support/api.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';
import { verifyWebhook } from '../../../../sdk/src/index.ts';

let stack: WebhookStack;

beforeAll(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterAll(() => stack.close());

const ping = (id: string) => stack.request('POST', `/webhooks/${id}/ping`);

test('a ping only reaches its endpoint, signed, with empty data', async () => {
  const [receiver, other] = [await stack.receiver(), await stack.receiver()];
  const { id, secret } = await stack.endpoint(receiver.url, { events: ['comment.created'] });
  const bystander = await stack.endpoint(other.url);
  const accepted = await ping(id);
  expect([accepted.status, accepted.data]).toEqual([
    202,
    { event_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ]);
  await stack.deliver(id);
  await stack.deliver(bystander.id);
  expect(other.seen).toEqual([]);
  const [seen] = receiver.seen;
  expect(JSON.parse(seen!.body)).toEqual({
    id: accepted.data.event_id,
    event: 'ping',
    created_at: expect.stringMatching(/\.\d{3}Z$/),
    data: {},
  });
  expect(seen!.headers['service-event']).toBe('ping');
  expect(await verifyWebhook(seen!.body, seen!.headers, secret)).toEqual(JSON.parse(seen!.body));
});

test('each ping is a separate event', async () => {
  const receiver = await stack.receiver();
  const { id } = await stack.endpoint(receiver.url);
  const ids = [(await ping(id)).data.event_id, (await ping(id)).data.event_id];
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(2);
  expect(new Set(receiver.seen.map(({ body }) => JSON.parse(body).id))).toEqual(new Set(ids));
});

test('a failed ping is retried and counted like any other event, and can be redelivered', async () => {
  let status = 500;
  const receiver = await stack.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await stack.endpoint(receiver.url);
  await ping(id);
  await stack.deliver(id);
  expect((await stack.request('GET', `/webhooks/${id}`)).data.consecutive_failures).toBe(1);
  stack.clock.advance(12_500);
  await stack.deliver(id);
  status = 200;
  const [second] = (await stack.request('GET', `/webhooks/${id}/deliveries?event=ping`)).data.items;
  expect(second).toMatchObject({ attempt: 2, event: 'ping', status: 'failed' });
  expect((await stack.request('POST', `/webhooks/${id}/deliveries/${second.id}/redeliver`)).status).toBe(202);
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(3);
  expect((await stack.request('GET', `/webhooks/${id}`)).data.consecutive_failures).toBe(0);
});

test('a disabled endpoint is 409, and an unknown one 404', async () => {
  const { id } = await stack.endpoint('https://receiver.example/');
  await stack.request('PATCH', `/webhooks/${id}`, { enabled: false });
  const refused = await ping(id);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
  expect((await ping('00000000-0000-4000-8000-000000000000')).status).toBe(404);
});
