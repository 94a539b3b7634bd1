import { startOnSharedDatabase } from '../../../support/api.ts';
import { buildPublished } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';

const DAY = 24 * 60 * 60_000;

let stack: WebhookStack;
let tenant: Tenant;
let status: number;
let id: string;
let seen: { headers: Record<string, any>; body: string }[];

beforeAll(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterAll(() => stack.close());
beforeEach(async () => {
  tenant = await stack.newTenant();
  status = 200;
  const receiver = await stack.receiver((_, response) => void response.writeHead(status).end());
  ({ id } = await stack.endpoint(receiver.url, {}, tenant.secretKey));
  seen = receiver.seen;
});

const call = (method: string, path: string, body?: unknown) =>
  stack.api.request(method, path, { key: tenant.secretKey, body });
const rows = async (): Promise<any[]> => (await call('GET', `/webhooks/${id}/deliveries`)).data.items;
const redeliver = (delivery: string, endpoint = id) =>
  call('POST', `/webhooks/${endpoint}/deliveries/${delivery}/redeliver`);

test.each([
  ['succeeded', 200],
  ['failed', 500],
])(
  'a %s delivery is redelivered: same event, same bytes, attempt 1, marked as a redelivery',
  async (name, answer) => {
    status = answer;
    await buildPublished(stack.api, tenant.secretKey);
    await stack.deliver(id);
    const [row] = await rows();
    expect(row.status).toBe(name);
    status = 200;
    const accepted = await redeliver(row.id);
    expect([accepted.status, accepted.data]).toEqual([202, { event_id: row.event_id, endpoint_id: id }]);
    await stack.deliver(id);
    expect(seen).toHaveLength(2);
    expect(seen[1]!.body).toBe(seen[0]!.body);
    expect(seen[1]!.headers['service-attempt']).toBe('1');
    const [again] = await rows();
    expect(again).toMatchObject({
      event_id: row.event_id,
      attempt: 1,
      redelivery: true,
      status: 'succeeded',
    });
    expect(again.id).not.toBe(row.id);
    expect(seen.map(({ headers }) => headers['service-delivery'])).toEqual([row.id, again.id]);
  },
);

test('it works repeatedly, also on the row of a redelivery', async () => {
  await buildPublished(stack.api, tenant.secretKey);
  await stack.deliver(id);
  for (let count = 2; count <= 4; count += 1) {
    expect((await redeliver((await rows())[0].id)).status).toBe(202);
    await stack.deliver(id);
    expect(seen).toHaveLength(count);
  }
  expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  expect(new Set(seen.map(({ headers }) => headers['service-delivery'])).size).toBe(4);
});

test('requested twice before it is sent, it is sent once', async () => {
  await buildPublished(stack.api, tenant.secretKey);
  await stack.deliver(id);
  const [row] = await rows();
  await Promise.all([redeliver(row.id), redeliver(row.id)]);
  await stack.deliver(id);
  expect(seen).toHaveLength(2);
});

test('it replaces a waiting retry, and has its own six attempts', async () => {
  status = 500;
  await buildPublished(stack.api, tenant.secretKey);
  await stack.deliver(id);
  stack.clock.advance(13_000);
  await stack.deliver(id);
  const [second] = await rows();
  expect(second.attempt).toBe(2);
  expect((await redeliver(second.id)).status).toBe(202);
  for (let count = 0; count < 10; count += 1) {
    await stack.deliver(id);
    stack.clock.advance(8 * 60 * 60_000);
  }
  const attempts = (await rows()).map(({ attempt, redelivery }) => [attempt, redelivery]).toReversed();
  expect(attempts).toEqual([[1, false], [2, false], ...[1, 2, 3, 4, 5, 6].map((attempt) => [attempt, true])]);
});

test('on a disabled endpoint it is 409, and nothing is sent when the endpoint is enabled again', async () => {
  await buildPublished(stack.api, tenant.secretKey);
  await stack.deliver(id);
  const [row] = await rows();
  await call('PATCH', `/webhooks/${id}`, { enabled: false });
  const refused = await redeliver(row.id);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
  await call('PATCH', `/webhooks/${id}`, { enabled: true });
  await stack.deliver(id);
  expect(seen).toHaveLength(1);
});

test('an unknown delivery, and one of another endpoint, is 404', async () => {
  await buildPublished(stack.api, tenant.secretKey);
  await stack.deliver(id);
  const [row] = await rows();
  const other = await stack.endpoint('https://other.example/', {}, tenant.secretKey);
  for (const answer of [
    await redeliver('00000000-0000-4000-8000-000000000000'),
    await redeliver('nonsense'),
    await redeliver(row.id, other.id),
  ])
    expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
});

test('the event of a deleted article is redelivered unchanged', async () => {
  const article = await buildPublished(stack.api, tenant.secretKey, { title: 'Gone tomorrow' });
  await stack.deliver(id);
  const [row] = await rows();
  await call('DELETE', `/articles/${article.id}`);
  await redeliver(row.id);
  await stack.deliver(id);
  const published = seen.filter(({ headers }) => headers['service-event'] === 'article.published');
  expect(published).toHaveLength(2);
  expect(published[1]!.body).toBe(published[0]!.body);
  expect(JSON.parse(published[1]!.body).data.title).toBe('Gone tomorrow');
});

test('after 30 days, when the event is no longer kept, it is 409', async () => {
  await buildPublished(stack.api, tenant.secretKey);
  // Sent late, so that the row is kept longer than its event.
  stack.clock.advance(DAY);
  await stack.deliver(id);
  const [row] = await rows();
  stack.clock.advance(29 * DAY - 10_000);
  expect((await redeliver(row.id)).status).toBe(202);
  stack.clock.advance(20_000);
  const refused = await redeliver(row.id);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
});
