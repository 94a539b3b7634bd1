import { setTimeout } from 'node:timers/promises';
import { startOnSharedDatabase } from '../../../support/api.ts';
import { buildPublished } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { startWebhooks } from '../../../support/webhooks.ts';
import type { WebhookStack } from '../../../support/webhooks.ts';

const EVER = '2020-01-01T00:00:00Z';

let stack: WebhookStack;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterAll(() => stack.close());
beforeEach(async () => {
  tenant = await stack.newTenant();
});

const call = (method: string, path: string, body?: unknown) =>
  stack.api.request(method, path, { key: tenant.secretKey, body });
const create = (url: string, values: object = {}) => stack.endpoint(url, values, tenant.secretKey);
const replay = async (id: string, body: object) => {
  const answer = await call('POST', `/webhooks/${id}/replay`, body);
  expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('"events"')]);
  return answer.data;
};
/** Publishes this many articles, a second apart. @returns their events, oldest first */
async function publish(count: number, contentOf: (number: number) => string = () => 'Text'): Promise<any[]> {
  for (let number = 0; number < count; number += 1) {
    await buildPublished(stack.api, tenant.secretKey, { content: contentOf(number) });
    stack.clock.advance(1_000);
  }
  return (await call('GET', `/events?limit=${count}`)).data.items.toReversed();
}
/** Delivers a replay, whose events are due one after another. */
async function deliver(id: string): Promise<void> {
  stack.clock.advance(1_000);
  await stack.deliver(id);
}
const eventIds = (seen: { body: string }[]) => seen.map(({ body }) => JSON.parse(body).id);

test('events from before the endpoint existed are sent, marked as redeliveries', async () => {
  const events = await publish(3);
  const receiver = await stack.receiver();
  const { id } = await create(receiver.url);
  await stack.deliver(id);
  expect(receiver.seen).toHaveLength(0);
  expect(await replay(id, { since: EVER })).toEqual({ events: 3 });
  await deliver(id);
  expect(new Set(eventIds(receiver.seen))).toEqual(new Set(events.map((event) => event.id)));
  expect(receiver.seen.map(({ body }) => JSON.parse(body))).toEqual(expect.arrayContaining(events));
  expect((await stack.attempts(id)).map(({ attempt, redelivery }) => [attempt, redelivery])).toEqual(
    events.map(() => [1, true]),
  );
});

test.each([
  ['one claim', 20_000],
  ['several claims', 500_000],
])('first attempts of %s start oldest first, however large their bodies are', async (_, size) => {
  const events = await publish(30, (number) => 'x'.repeat(number % 3 === 0 ? size : 10));
  const receiver = await stack.receiver();
  const { id } = await create(receiver.url);
  const started: string[] = [];
  const { http } = stack.session.ports;
  const session = stack.newSession({
    // Large bodies are read by themselves, which takes longer than a claim.
    db: {
      ...stack.api.db,
      async maybeOne(query) {
        if (query.sql.includes('body')) await setTimeout(50);
        return stack.api.db.maybeOne(query);
      },
    },
    http: {
      ...http,
      request: (request) => {
        started.push(JSON.parse(String(request.body)).id);
        return http.request(request);
      },
    },
  });
  await replay(id, { since: EVER });
  stack.clock.advance(1_000);
  await eventually('all are sent', async () => {
    await session.run(id);
    return started.length === events.length;
  });
  expect(started).toEqual(events.map((event) => event.id));
});

test('since is inclusive and until exclusive', async () => {
  const [first, second, third] = await publish(3);
  const { id } = await create((await stack.receiver()).url);
  expect(await replay(id, { since: first.created_at, until: first.created_at })).toEqual({ events: 0 });
  expect(await replay(id, { since: second.created_at, until: third.created_at })).toEqual({ events: 1 });
  await deliver(id);
  expect((await stack.attempts(id)).map(({ event_id }) => event_id)).toEqual([second.id]);
});

test('delivered and waiting events are not sent again', async () => {
  let status = 500;
  const receiver = await stack.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await create(receiver.url);
  const [waiting] = await publish(1);
  await stack.deliver(id);
  status = 200;
  const [arrived] = await publish(1);
  await stack.deliver(id);
  const [row] = (await stack.attempts(id)).filter(({ event_id }) => event_id === waiting.id);
  expect(await replay(id, { since: EVER })).toEqual({ events: 0 });
  stack.clock.advance(60_000);
  await stack.deliver(id);
  expect(eventIds(receiver.seen)).toEqual([waiting.id, arrived.id, waiting.id]);
  // The waiting retry was left unchanged.
  expect((await stack.attempts(id)).at(-1)).toMatchObject({ attempt: 2, redelivery: false });
  expect(row.attempt).toBe(1);
});

test('events given up after six attempts, and those recorded while the endpoint was disabled, are sent', async () => {
  let status = 500;
  const receiver = await stack.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await create(receiver.url);
  const [givenUp] = await publish(1);
  for (let count = 0; count < 6; count += 1) {
    await stack.deliver(id);
    stack.clock.advance(8 * 60 * 60_000);
  }
  await call('PATCH', `/webhooks/${id}`, { enabled: false });
  const [missed] = await publish(1);
  await call('PATCH', `/webhooks/${id}`, { enabled: true });
  status = 200;
  receiver.seen.length = 0;
  expect(await replay(id, { since: EVER })).toEqual({ events: 2 });
  await deliver(id);
  expect(receiver.seen).toHaveLength(2);
  expect(new Set(eventIds(receiver.seen))).toEqual(new Set([givenUp.id, missed.id]));
  expect(await replay(id, { since: EVER })).toEqual({ events: 0 });
});

test('only subscribed types are sent, and of those the requested ones', async () => {
  const article = await buildPublished(stack.api, tenant.secretKey);
  await call('PATCH', `/articles/${article.id}`, { title: 'Changed' });
  await call('DELETE', `/articles/${article.id}`);
  const { id } = await create((await stack.receiver()).url, {
    events: ['article.published', 'article.updated'],
  });
  expect(await replay(id, { since: EVER, events: ['article.deleted'] })).toEqual({ events: 0 });
  expect(await replay(id, { since: EVER, events: ['article.updated', 'article.deleted'] })).toEqual({
    events: 1,
  });
  await deliver(id);
  expect((await stack.attempts(id)).map(({ event }) => event)).toEqual(['article.updated']);
  expect(await replay(id, { since: EVER })).toEqual({ events: 1 });
});

test('pings and another Site’s events are excluded', async () => {
  await publish(1);
  tenant = await stack.newTenant();
  const { id } = await create((await stack.receiver(500)).url);
  await call('POST', `/webhooks/${id}/ping`);
  await stack.deliver(id);
  const other = await create((await stack.receiver()).url);
  expect(await replay(id, { since: EVER })).toEqual({ events: 0 });
  expect(await replay(other.id, { since: EVER })).toEqual({ events: 0 });
});

test('two concurrent replays send each event once', async () => {
  await publish(10);
  const receiver = await stack.receiver();
  const { id } = await create(receiver.url);
  const answers = await Promise.all([replay(id, { since: EVER }), replay(id, { since: EVER })]);
  expect(new Set(answers.map(({ events }) => events))).toEqual(new Set([0, 10]));
  await deliver(id);
  expect(new Set(eventIds(receiver.seen)).size).toBe(10);
  expect(receiver.seen).toHaveLength(10);
});

test('on a disabled endpoint it is 409', async () => {
  const { id } = await create('https://receiver.example/');
  await call('PATCH', `/webhooks/${id}`, { enabled: false });
  const refused = await call('POST', `/webhooks/${id}/replay`, { since: EVER });
  expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
});

test.each([
  [{}, 'since'],
  [{ since: 'yesterday' }, 'since'],
  [{ since: EVER, until: 7 }, 'until'],
  [{ since: EVER, events: [] }, 'events'],
  [{ since: EVER, events: ['ping'] }, 'events'],
  [{ since: EVER, from: EVER }, 'from'],
])('%j is 422 on its field', async (body, field) => {
  const { id } = await create('https://receiver.example/');
  const refused = await call('POST', `/webhooks/${id}/replay`, body);
  expect(refused.status).toBe(422);
  expect(Object.keys(refused.json.error.fields)[0]).toMatch(new RegExp(`^${field}`));
});
