import { createHmac } from 'node:crypto';
import { ATTEMPT_LIMIT } from '../../../domain/webhooks/retry-schedule.ts';
import { carriedOut } from '../../support/bulk.ts';
import { connectionWrite } from '../../support/connection-write.ts';
import { startPushes } from '../../support/pushes.ts';
import { subscriptionsOf } from '../../support/subscriptions.ts';
import type { PushStack } from '../../support/pushes.ts';
import { closeReceivers, httpReceiver } from '../../support/receivers.ts';
import type { Receiver } from '../../support/receivers.ts';

let stack: PushStack;
let receiver: Receiver;
let status: number;
let headers: Record<string, string>;

beforeAll(async () => {
  stack = await startPushes();
});
afterAll(() => stack.close());
beforeEach(async () => {
  status = 204;
  headers = {};
  receiver = await httpReceiver((_, response) => response.writeHead(status, headers).end());
  stack.allowedHosts.add(`127.0.0.1:${receiver.port}`);
  await stack.disconnect();
});
afterEach(closeReceivers);

const connect = (values: object = {}) =>
  stack.connect({ ...connectionWrite, config: { url: `${receiver.url}/posts` }, ...values });
const connection = async (id: string) => (await stack.request('GET', `/delivery/connections/${id}`)).data;
const events = () => receiver.seen.map(({ body }) => JSON.parse(body).event);

test('an article is sent in the shape of a delivery, signed as webhooks are', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  const item = await stack.pushed(id, article.id);
  expect(item).toEqual({
    article_id: article.id,
    status: 'succeeded',
    remote_url: null,
    error: null,
    attempts: 1,
  });
  const [seen] = receiver.seen;
  const body = JSON.parse(seen?.body ?? '');
  expect(body).toEqual({
    id: expect.any(String),
    event: 'article.published',
    created_at: expect.any(String),
    data: article,
  });
  const timestamp = seen?.headers['service-timestamp'];
  const mac = createHmac('sha256', connectionWrite.secret)
    .update(`${String(timestamp)}.${seen?.body}`)
    .digest('hex');
  expect(seen?.headers).toMatchObject({
    'service-signature': `v1=${mac}`,
    'service-event': 'article.published',
    'service-attempt': '1',
    'webhook-id': body.id,
  });
  expect(seen?.path).toBe('/posts');
});

test('the second push of an article says updated, one that is not published any more unpublished, a deleted one deleted', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  await stack.pushed(id, article.id);
  await stack.pushed(id, article.id);
  await stack.request('POST', `/articles/${article.id}/unpublish`);
  await stack.pushed(id, article.id);
  await stack.request('POST', `/articles/${article.id}/publish`);
  const last = await stack.push(id, [article.id]);
  await stack.request('DELETE', `/articles/${article.id}`);
  await stack.work(id);
  expect(events()).toEqual([
    'article.published',
    'article.updated',
    'article.unpublished',
    'article.deleted',
  ]);
  expect(JSON.parse(receiver.seen[3]?.body ?? '').data).toEqual({ id: article.id });
  expect((await stack.items(last.id))[0].status).toBe('succeeded');
});

test('an article that was never there cannot be removed there, which says nothing about the connection', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  await stack.request('POST', `/articles/${article.id}/unpublish`);
  expect(await stack.pushed(id, article.id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: expect.stringContaining('Publish it first'),
  });
  expect(receiver.seen).toEqual([]);
  expect((await connection(id)).last_error).toBeNull();
});

test('a failed attempt is repeated after the delays of webhooks, five times, with the same event id', async () => {
  stack.clock.freeze();
  status = 500;
  const { id } = await connect();
  const article = await stack.publish();
  const push = await stack.push(id, [article.id]);
  const delays = [10, 60, 600, 3_600, 21_600];
  for (const [made, delay] of delays.entries()) {
    const { nextAt } = await stack.work(id);
    const [item] = await stack.items(push.id);
    expect(item).toMatchObject({
      status: 'waiting',
      attempts: made + 1,
      error: expect.stringContaining('500'),
    });
    const wait = (Date.parse(nextAt as string) - stack.clock.now().getTime()) / 1_000;
    expect(wait).toBeGreaterThanOrEqual(delay);
    expect(wait).toBeLessThanOrEqual(delay * 1.25);
    stack.clock.advance(wait * 1_000 - 1);
    await stack.work(id);
    expect(receiver.seen).toHaveLength(made + 1);
    stack.clock.advance(1);
  }
  const { nextAt } = await stack.work(id);
  expect(nextAt).toBeNull();
  expect((await stack.items(push.id))[0]).toMatchObject({ status: 'failed', attempts: ATTEMPT_LIMIT });
  const { rows: told } = await stack.api.db.pool.query(
    `select member_id, details from notifications where kind = 'push.failed' and target_id = $1`,
    [push.id],
  );
  expect(told).toEqual([{ member_id: stack.tenant.memberId, details: { articles: '1' } }]);
  const ended = await stack.request('GET', `/delivery/pushes/${push.id}`);
  expect(ended.data.finished_at).not.toBeNull();
  expect(new Set(receiver.seen.map(({ body }) => JSON.parse(body).id)).size).toBe(1);
  expect(receiver.seen.map(({ headers: sent }) => sent['service-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
  ]);
  expect((await connection(id)).last_error).toContain('500');
  status = 200;
  await stack.pushed(id, article.id);
  expect((await connection(id)).last_error).toBeNull();
});

test('each attempt sends the same bytes, until the article changes, which makes it another event', async () => {
  stack.clock.freeze();
  status = 500;
  const { id } = await connect();
  const article = await stack.publish();
  await stack.push(id, [article.id]);
  await stack.work(id);
  stack.clock.advance(60_000);
  await stack.work(id);
  await stack.request('PATCH', `/articles/${article.id}`, { title: 'Changed meanwhile' });
  status = 204;
  stack.clock.advance(600_000);
  await stack.work(id);
  const [first, second, third] = receiver.seen.map(({ body }) => body);
  expect(second).toBe(first);
  const [before, after] = [first, third].map((body) => JSON.parse(body ?? ''));
  expect(after).toMatchObject({ event: 'article.published', data: { title: 'Changed meanwhile' } });
  expect(after.id).not.toBe(before.id);
  expect(after.created_at > before.created_at).toBe(true);
});

test('a receiver whose answer was lost is told when the article is not published any more', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  status = 504;
  await stack.push(id, [article.id]);
  await stack.work(id);
  status = 204;
  await stack.request('POST', `/articles/${article.id}/unpublish`);
  expect(await stack.pushed(id, article.id)).toMatchObject({ status: 'succeeded' });
  expect(events()).toEqual(['article.published', 'article.unpublished']);
});

test('429 with Retry-After holds the whole connection', async () => {
  stack.clock.freeze();
  status = 429;
  headers = { 'retry-after': '900' };
  const { id } = await connect();
  const articles = [await stack.publish(), await stack.publish()];
  const push = await stack.push(
    id,
    articles.map((each) => each.id),
  );
  const { nextAt } = await stack.work(id);
  expect(Date.parse(nextAt as string)).toBe(stack.clock.now().getTime() + 900_000);
  expect(receiver.seen).toHaveLength(1);
  stack.clock.advance(899_000);
  await stack.work(id);
  expect(receiver.seen).toHaveLength(1);
  status = 200;
  stack.clock.advance(1_000);
  await stack.work(id);
  expect((await stack.items(push.id)).map((item) => [item.status, item.attempts])).toEqual([
    ['succeeded', 2],
    ['succeeded', 1],
  ]);
});

/** What was told of a push that failed, to the owner, who alone manages the settings here. */
const failuresTold = async (pushId: string): Promise<object[]> => {
  const { rows } = await stack.api.db.pool.query(
    `select details from notifications where kind = 'push.failed' and target_id = $1`,
    [pushId],
  );
  return rows.map(({ details }) => details);
};

test('what waits for a connection that is disabled fails, and says what to do', async () => {
  const { id } = await connect();
  const article = await stack.publish();
  const push = await stack.push(id, [article.id]);
  await stack.request('PATCH', `/delivery/connections/${id}`, { enabled: false });
  expect(await stack.work(id)).toMatchObject({ enabled: false, waiting: 0, nextAt: null });
  expect((await stack.items(push.id))[0]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('disabled'),
  });
  expect((await stack.request('GET', `/delivery/pushes/${push.id}`)).data.finished_at).not.toBeNull();
  expect(receiver.seen).toEqual([]);
  expect(await failuresTold(push.id)).toEqual([{ articles: '1' }]);
});

test('a push that has failed for good is told of, once, and one that arrived is not', async () => {
  const { id } = await connect();
  const [one, two] = [await stack.publish(), await stack.publish()];
  status = 500;
  const failed = await stack.push(id, [one.id, two.id]);
  for (let attempt = 0; attempt < 2 * ATTEMPT_LIMIT; attempt += 1) {
    await stack.work(id);
    stack.clock.advance(24 * 60 * 60_000);
  }
  expect(await failuresTold(failed.id)).toEqual([{ articles: '2' }]);
  status = 204;
  const arrived = await stack.push(id, [one.id]);
  await stack.work(id);
  expect(await failuresTold(arrived.id)).toEqual([]);
});

test('two workers push each article once', async () => {
  const { id } = await connect();
  const articles = await Promise.all(Array.from({ length: 8 }, () => stack.publish()));
  const push = await stack.push(
    id,
    articles.map((each) => each.id),
  );
  await Promise.all([stack.work(id), stack.work(id), stack.work(id)]);
  while ((await stack.work(id)).nextAt !== null);
  expect((await stack.items(push.id)).map((item) => [item.status, item.attempts])).toEqual(
    articles.map(() => ['succeeded', 1]),
  );
  expect(receiver.seen).toHaveLength(8);
});

test('a test sends a ping, and says what a person can do when it fails', async () => {
  const { id } = await connect();
  const path = `/delivery/connections/${id}/test`;
  expect((await stack.request('POST', path)).data).toEqual({ ok: true, message: expect.any(String) });
  expect(events()).toEqual(['ping']);
  status = 401;
  expect((await stack.request('POST', path)).data).toEqual({
    ok: false,
    message: 'The receiver answered 401 instead of 2xx.',
  });
  await closeReceivers();
  expect((await stack.request('POST', path)).data).toMatchObject({
    ok: false,
    message: expect.stringContaining('could not be reached'),
  });
  await stack.request('PATCH', `/delivery/connections/${id}`, { secret: null });
  expect((await stack.request('POST', path)).data).toMatchObject({
    ok: false,
    message: expect.stringContaining('no secret'),
  });
});

test('with auto, publishing, updating, unpublishing and deleting push by themselves', async () => {
  const auto = await connect({ auto: true });
  const manual = await connect();
  const article = await stack.publish();
  await stack.work(auto.id);
  await stack.request('PATCH', `/articles/${article.id}`, { title: 'Another title' });
  await stack.work(auto.id);
  await stack.request('POST', `/articles/${article.id}/unpublish`);
  await stack.work(auto.id);
  await stack.request('PATCH', `/articles/${article.id}`, { title: 'A draft again' });
  await stack.work(auto.id);
  await stack.request('POST', `/articles/${article.id}/publish`);
  await stack.work(auto.id);
  await stack.request('DELETE', `/articles/${article.id}`);
  await stack.work(auto.id);
  expect(events()).toEqual([
    'article.published',
    'article.updated',
    'article.unpublished',
    'article.published',
    'article.deleted',
  ]);
  expect(await stack.work(manual.id)).toMatchObject({ waiting: 0, nextAt: null });
  const { data } = await stack.request('GET', '/delivery/pushes');
  expect(data.items.map(({ connection_id: id, items }: any) => [id, items.length])).toEqual(
    events().map(() => [auto.id, 1]),
  );
});

test('one push takes all articles that a bulk job publishes', async () => {
  const auto = await connect({ auto: true });
  const articles = await Promise.all([1, 2, 3].map(() => stack.publish()));
  await stack.work(auto.id);
  const job = await carriedOut(stack.api, stack.tenant, {
    action: 'unpublish',
    article_ids: articles.map(({ id }) => id),
  });
  expect(job.totals.done).toBe(3);
  const { data } = await stack.request('GET', '/delivery/pushes?limit=1');
  expect(data.items[0].items.map((item: any) => item.article_id).toSorted()).toEqual(
    articles.map(({ id }) => id).toSorted(),
  );
  await stack.work(auto.id);
  expect(events().slice(3)).toEqual(Array(3).fill('article.unpublished'));
});

test('the end of a push is told once, with every item, well or not', async () => {
  const told = subscriptionsOf(stack.api, stack.tenant);
  const hook = await told.subscribe('push.finished');
  const { id } = await connect();
  const [one, two] = [await stack.publish(), await stack.publish()];
  const { id: good } = await stack.push(id, [one.id, two.id]);
  await stack.work(id);
  status = 400;
  const { id: bad } = await stack.push(id, [one.id]);
  await stack.work(id);
  const { id: waiting } = await stack.push(id, [two.id]);
  await stack.request('PATCH', `/delivery/connections/${id}`, { enabled: false });
  await stack.work(id);
  const finished = await told.recorded('push.finished');
  const shown = [];
  for (const push of [good, bad, waiting])
    shown.push((await stack.request('GET', `/delivery/pushes/${push}`)).data);
  // Two of them end in the same millisecond.
  const inOrder = (pushes: any[]): any[] => pushes.toSorted((left, right) => left.id.localeCompare(right.id));
  expect(inOrder(finished.map(({ data }) => data))).toEqual(inOrder(shown));
  expect(shown.map(({ items }) => items.map((item: any) => item.status))).toEqual([
    ['succeeded', 'succeeded'],
    ['failed'],
    ['failed'],
  ]);
  await told.must('DELETE', `/webhooks/${hook.id}`);
});
