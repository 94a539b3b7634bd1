import { Presswork } from '../../sdk/src/index.ts';
import type { PressworkOptions } from '../../sdk/src/index.ts';
import { useApi } from '../support/api.ts';
import { startFailingProxy } from './failing-proxy.ts';
import type { FailingProxy, Mishap } from './failing-proxy.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';

const api = await useApi();
let proxy: FailingProxy;
let tenant: Tenant;
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  proxy = await startFailingProxy(api.origin);
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  proxy.decide = undefined;
  proxy.mishaps.length = 0;
  proxy.seen.length = 0;
});
afterEach(async () => {
  // Rejections are reported after the microtasks of a turn.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(unhandled).toEqual([]);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await proxy.close();
});

const clientWith = (options: Partial<PressworkOptions> = {}): Presswork =>
  new Presswork({ apiKey: tenant.secretKey, baseUrl: proxy.baseUrl, ...options });

/** The titles of the articles of the Site. */
async function titles(): Promise<(string | null)[]> {
  const direct = new Presswork({ apiKey: tenant.secretKey, baseUrl: `${api.origin}/v1` });
  const found = [];
  for await (const { title } of direct.articles.list({ fields: ['title'] })) found.push(title);
  return found.toSorted();
}

const busy = (seconds: number): Mishap => ({
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': String(seconds) },
  body: JSON.stringify({ error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many.' }, request_id: 'r' }),
});

test.each<[string, Mishap]>([
  ['breaks before the API has the request', 'refuse'],
  ['breaks after the commit', 'drop'],
  ['breaks in the body', 'cut'],
  ['ends the body early', 'shorten'],
  ['stalls in the body', 'stall'],
  ['never answers', 'hold'],
  ['answers 500', { status: 500 }],
  ['answers 503', { status: 503, headers: { 'retry-after': '0' } }],
  [
    'answers 502 as a proxy does',
    { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway' },
  ],
])('a create whose connection %s makes exactly one object, under one idempotency key', async (_, mishap) => {
  proxy.mishaps.push(mishap, mishap);
  // Only what hangs runs out of time: the time has to suffice for the last try on a busy machine.
  const hangs = mishap === 'stall' || mishap === 'hold';
  const article = await clientWith(hangs ? { timeoutMs: 4_000 } : {}).articles.create({ title: 'Once' });
  expect(article).toMatchObject({ title: 'Once' });
  expect(await titles()).toEqual(['Once']);
  const keys = proxy.seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test('a read is repeated, too', async () => {
  proxy.mishaps.push('cut', 'refuse');
  expect((await clientWith().ping()).pong).toBe(true);
  expect(proxy.seen).toHaveLength(3);
});

test('a write without an idempotency key is never repeated', async () => {
  const direct = new Presswork({ apiKey: tenant.secretKey, baseUrl: `${api.origin}/v1` });
  const { id } = await direct.articles.create({ title: 'Text', content: 'Text.' });
  const presswork = clientWith({ timeoutMs: 4_000 });
  const writes: [Mishap, () => Promise<unknown>, string][] = [
    ['drop', () => presswork.articles.update(id, { title: 'Other' }), 'CONNECTION_FAILED'],
    ['hold', () => presswork.articles.publish(id), 'TIMEOUT'],
    [busy(1), () => presswork.articles.unpublish(id), 'RATE_LIMIT_EXCEEDED'],
    [{ status: 500 }, () => presswork.articles.delete(id), 'UNEXPECTED_ANSWER'],
  ];
  for (const [mishap, write, code] of writes) {
    proxy.seen.length = 0;
    proxy.mishaps.push(mishap);
    await expect(write()).rejects.toMatchObject({ name: 'PressworkError', code });
    expect(proxy.seen).toHaveLength(1);
  }
});

test('a storm of 429 is waited out as Retry-After says, and each create makes one object', async () => {
  const until = performance.now() + 2_500;
  proxy.decide = ({ at }) => (at < until ? busy(1) : undefined);
  const presswork = clientWith();
  const wanted = Array.from({ length: 12 }, (_, index) => `Article ${String(index).padStart(2, '0')}`);
  await Promise.all(wanted.map((title) => presswork.articles.create({ title })));
  expect(await titles()).toEqual(wanted);
  const times = Map.groupBy(proxy.seen, ({ headers }) => headers['idempotency-key']);
  expect(times.size).toBe(wanted.length);
  for (const tries of times.values()) {
    for (const [index, { at }] of tries.entries()) {
      // A timer may fire a millisecond early.
      if (index > 0) expect(at - tries[index - 1]!.at).toBeGreaterThanOrEqual(995);
    }
  }
});

test('waiting is bounded: a Retry-After that is too long is not waited for at all', async () => {
  proxy.mishaps.push(busy(3_600));
  const failed = clientWith().articles.create({ title: 'Never' });
  await expect(failed).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', status: 429, retryAfter: 3_600 });
  expect(proxy.seen).toHaveLength(1);
});

test('waiting is bounded: tries, and the time for all of them', async () => {
  proxy.decide = () => 'refuse';
  await expect(clientWith({ maxRetries: 2 }).ping()).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    status: 0,
  });
  expect(proxy.seen).toHaveLength(3);
  proxy.decide = () => 'hold';
  proxy.seen.length = 0;
  const limits = { timeoutMs: 300, maxElapsedMs: 1_000, maxRetries: 1_000 };
  await expect(clientWith(limits).ping()).rejects.toMatchObject({ code: 'TIMEOUT' });
  // No more fit into a second.
  expect(proxy.seen.length).toBeLessThanOrEqual(4);
});

test('Retry-After as a time is obeyed', async () => {
  const until = new Date(Date.now() + 2_500).toUTCString();
  proxy.mishaps.push({ status: 503, headers: { 'retry-after': until } });
  await clientWith().ping();
  const [, second] = proxy.seen;
  // A timer may fire a millisecond early.
  expect(performance.timeOrigin + second!.at).toBeGreaterThanOrEqual(Date.parse(until) - 5);
});

test.each<[string, Mishap]>([
  ['without an answer', 'hold'],
  ['in a body that stalls', 'stall'],
  ['while it waits for the next try', busy(60)],
])('an abort ends a call %s with the reason of its signal', async (_, mishap) => {
  proxy.mishaps.push(mishap);
  const ending = new AbortController();
  const reason = new Error('no longer wanted');
  const call = clientWith({ timeoutMs: 60_000 }).articles.create(
    { title: 'Aborted' },
    { signal: ending.signal },
  );
  call.catch(() => {});
  await eventually('it is sent', () => proxy.seen.length === 1);
  setTimeout(() => ending.abort(reason), 300);
  await expect(call).rejects.toBe(reason);
  expect(proxy.seen).toHaveLength(1);
});

test('a signal that is aborted already sends nothing', async () => {
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(clientWith().ping({ signal })).rejects.toThrow('too late');
  await expect(clientWith().articles.list({}, { signal })).rejects.toThrow('too late');
  expect(proxy.seen).toEqual([]);
});

test('a repetition that meets the first request in flight waits for its answer', async () => {
  const inFlight = { error: { code: 'IDEMPOTENCY_KEY_IN_FLIGHT', message: 'It runs.' }, request_id: 'r' };
  proxy.mishaps.push('drop', { status: 409, body: JSON.stringify(inFlight) });
  const tag = await clientWith().tags.create({ name: 'Tea' });
  expect(tag).toMatchObject({ name: 'Tea' });
  expect(tag.meta.replayed).toBe(true);
});

test('a list goes on where a page was lost, and has every item once', async () => {
  const direct = new Presswork({ apiKey: tenant.secretKey, baseUrl: `${api.origin}/v1` });
  for (const name of ['A', 'B', 'C', 'D', 'E']) await direct.tags.create({ name });
  let count = 0;
  proxy.decide = () => ((count += 1) % 2 === 0 ? 'cut' : undefined);
  const seen = [];
  for await (const { name } of clientWith().tags.list({ limit: 1 })) seen.push(name);
  expect(seen).toEqual(['A', 'B', 'C', 'D', 'E']);
});

test.each(['null', '{"data":null}', '[]', '"data"', '{"error":{}}'])(
  'an answer of %s is not from the API, and is not asked for again',
  async (body) => {
    proxy.mishaps.push({ status: 200, headers: { 'content-type': 'application/json' }, body });
    await expect(clientWith().ping()).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 });
    expect(proxy.seen).toHaveLength(1);
  },
);

test('a redirect is not followed, and nothing is sent to where it leads', async () => {
  proxy.mishaps.push({ status: 307, headers: { location: `${proxy.baseUrl}/ping` } });
  await expect(clientWith().ping()).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 307 });
  expect(proxy.seen).toHaveLength(1);
});

test('the rules of retries can be replaced', async () => {
  const failures: unknown[] = [];
  proxy.mishaps.push('drop', busy(60));
  const presswork = clientWith({
    retry: ({ error, attempt, repeatable }) => {
      failures.push([error.code, attempt, repeatable]);
      return error.status === 429 ? null : 0;
    },
  });
  await expect(presswork.tags.create({ name: 'Tea' })).rejects.toMatchObject({ status: 429 });
  expect(failures).toEqual([
    ['CONNECTION_FAILED', 1, true],
    ['RATE_LIMIT_EXCEEDED', 2, true],
  ]);
});
