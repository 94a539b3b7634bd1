import { startWebhooks } from '../../support/webhooks.ts';
import type { WebhookWorld } from '../../support/webhooks.ts';
import { verifyWebhook } from '../../../net/webhook-signature.ts';

let world: WebhookWorld;

beforeAll(async () => {
  world = await startWebhooks();
});
afterAll(() => world.close());

const ping = (id: string) => world.request('POST', `/webhooks/${id}/ping`);

test('a ping reaches the one endpoint alone, signed, with empty data', async () => {
  const [receiver, other] = [await world.receiver(), await world.receiver()];
  const { id, secret } = await world.endpoint(receiver.url, { events: ['comment.created'] });
  const bystander = await world.endpoint(other.url);
  const accepted = await ping(id);
  expect([accepted.status, accepted.data]).toEqual([
    202,
    { event_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  ]);
  await world.deliver(id);
  await world.deliver(bystander.id);
  expect(other.seen).toEqual([]);
  const [seen] = receiver.seen;
  expect(JSON.parse(seen!.body)).toEqual({
    id: accepted.data.event_id,
    event: 'ping',
    created_at: expect.stringMatching(/\.\d{3}Z$/),
    data: {},
  });
  expect(seen!.headers['service-event']).toBe('ping');
  expect(verifyWebhook(seen!.body, seen!.headers, secret)).toEqual({ ok: true });
});

test('each ping is an event of its own', async () => {
  const receiver = await world.receiver();
  const { id } = await world.endpoint(receiver.url);
  const ids = [(await ping(id)).data.event_id, (await ping(id)).data.event_id];
  await world.deliver(id);
  expect(receiver.seen).toHaveLength(2);
  expect(new Set(receiver.seen.map(({ body }) => JSON.parse(body).id))).toEqual(new Set(ids));
});

test('a failed ping is retried and counted like any other event, and can be sent again', async () => {
  let status = 500;
  const receiver = await world.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await world.endpoint(receiver.url);
  await ping(id);
  await world.deliver(id);
  expect((await world.request('GET', `/webhooks/${id}`)).data.consecutive_failures).toBe(1);
  world.clock.advance(12_500);
  await world.deliver(id);
  status = 200;
  const [second] = (await world.request('GET', `/webhooks/${id}/deliveries?event=ping`)).data.items;
  expect(second).toMatchObject({ attempt: 2, event: 'ping', status: 'failed' });
  expect((await world.request('POST', `/webhooks/${id}/deliveries/${second.id}/redeliver`)).status).toBe(202);
  await world.deliver(id);
  expect(receiver.seen).toHaveLength(3);
  expect((await world.request('GET', `/webhooks/${id}`)).data.consecutive_failures).toBe(0);
});

test('a disabled endpoint is 409, and an unknown one 404', async () => {
  const { id } = await world.endpoint('https://receiver.example/');
  await world.request('PATCH', `/webhooks/${id}`, { enabled: false });
  const refused = await ping(id);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
  expect((await ping('00000000-0000-4000-8000-000000000000')).status).toBe(404);
});
