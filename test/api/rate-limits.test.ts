import { createClientAddress } from '../../api/http/client-address.ts';
import { parseNetworks } from '../../runtime/networks.ts';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { operator } from '../../domain/audit/record.ts';
import { updateOrganisation } from '../../domain/organisations/organisations.ts';
import { generateSecret, hashSecret } from '../../domain/access/key-secret.ts';
import { startApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { buildKey, buildSite, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { poolMode } from '../support/database.ts';

const MINUTE = Date.parse('2030-01-01T12:00:00Z');
const clock = new TestClock();
const late = new TestClock();

let api: TestApi;
let second: TestApi;
let secondDb: Database;
let tenant: Tenant;

beforeAll(async () => {
  api = await startApi({ clock, clientAddress: createClientAddress(parseNetworks('127.0.0.1')) });
  secondDb = createDatabase({
    connectionString: api.url,
    applicationName: 'presswork-test',
    poolMode: poolMode(),
  });
  second = await startApi({ clock: late, db: secondDb }, { on: api });
});
beforeEach(async () => {
  clock.freeze(new Date(MINUTE + 12_345));
  late.freeze(new Date(MINUTE + 12_345));
  tenant = await buildTenant(api.db);
});
afterAll(async () => {
  await second.close();
  await secondDb.close();
  await api.close();
});

const figures = ({ headers }: Answer) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)));
const remaining = (answer: Answer) => figures(answer)[1];

const many = async (
  count: number,
  send: (index: number) => Promise<Answer>,
  parallel = 50,
): Promise<Answer[]> => {
  const answers: Answer[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (next < count) answers.push(await send(next++));
    }),
  );
  return answers;
};

const refused = (answers: readonly Answer[]) => answers.filter((answer) => answer.status === 429);

test.each([
  ['write', 120, 'POST', 201, '/articles'],
  ['read', 600, 'GET', 200, '/ping'],
] as const)(
  '%s: exactly %i a minute, under 50 parallel requests to two instances',
  async (_class, limit, method, status, path) => {
    const key = tenant.secretKey;
    const answers = await many(limit + 40, (index) =>
      (index % 2 ? api : second).request(method, path, {
        key,
        ...(method === 'POST' ? { idempotencyKey: true } : {}),
      }),
    );
    const admitted = answers.filter((answer) => answer.status === status);
    expect([admitted.length, refused(answers).length]).toEqual([limit, 40]);
    expect(admitted.map(remaining).sort((a, b) => a! - b!)).toEqual(
      Array.from({ length: limit }, (_, index) => index),
    );
    expect(new Set(refused(answers).map(remaining))).toEqual(new Set([0]));
  },
);

test('429 has the limit, and Retry-After until the next whole minute', async () => {
  const answers = await many(121, () => api.request('POST', '/nothing-here', { key: tenant.secretKey }));
  const [answer] = refused(answers) as [Answer];
  expect(answer.json.error.code).toBe('RATE_LIMIT_EXCEEDED');
  expect('limit' in answer.json.error).toBe(false);
  expect(figures(answer)).toEqual([120, 0, MINUTE / 1000 + 60]);
  expect(answer.headers.get('retry-after')).toBe('48');
});

test('windows are aligned to the minute, to the millisecond', async () => {
  const send = () => api.request('POST', '/nothing-here', { key: tenant.secretKey });
  await many(120, send);
  clock.freeze(new Date(MINUTE + 59_999));
  const last = await send();
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1']);
  clock.freeze(new Date(MINUTE + 60_000));
  const first = await send();
  expect([first.status, ...figures(first)]).toEqual([404, 120, 119, MINUTE / 1000 + 120]);
});

test('an instance whose clock lags counts in the newer window', async () => {
  clock.freeze(new Date(MINUTE + 60_000));
  const key = tenant.secretKey;
  expect(remaining(await api.request('GET', '/ping', { key }))).toBe(599);
  expect(remaining(await second.request('GET', '/ping', { key }))).toBe(598);
  expect(remaining(await api.request('GET', '/ping', { key }))).toBe(597);
});

test('refused requests count as well', async () => {
  const key = tenant.secretKey;
  const statuses: number[] = [];
  for (const [method, path, body] of [
    ['POST', '/articles', undefined],
    ['POST', '/articles?colour=red', undefined],
    ['POST', '/categories', { colour: 'red' }],
    ['DELETE', '/articles/no-uuid', undefined],
    ['POST', '/nothing-here', undefined],
    ['PUT', '/articles', undefined],
    ['DELETE', '/articles', undefined],
  ] as const) {
    const answer = await api.request(method, path, { key, body, ...(body ? { idempotencyKey: true } : {}) });
    statuses.push(answer.status);
    expect(figures(answer).slice(0, 2)).toEqual([120, 120 - statuses.length]);
  }
  expect(statuses).toEqual([400, 400, 422, 404, 404, 405, 405]);
  const forbidden = await api.request('POST', '/articles', { key: tenant.publishableKey });
  expect([forbidden.status, remaining(forbidden)]).toEqual([403, 119]);
});

test('a request refused by the limit counts too, and does nothing else', async () => {
  const send = () => api.request('POST', '/nothing-here', { key: tenant.secretKey });
  expect(refused(await many(200, send))).toHaveLength(80);
  expect((await send()).status).toBe(429);
});

test('classes are counted separately, and so are keys; HEAD and unknown GETs are reads', async () => {
  const key = tenant.secretKey;
  await many(121, () => api.request('POST', '/nothing-here', { key }));
  expect(figures(await api.request('GET', '/articles', { key })).slice(0, 2)).toEqual([600, 599]);
  expect(remaining(await api.request('HEAD', '/articles', { key }))).toBe(598);
  expect(remaining(await api.request('GET', '/nothing-here', { key }))).toBe(597);
  expect(remaining(await api.request('GET', '/ping', { key }))).toBe(596);
  const other = await buildKey(api.db, tenant.siteId, tenant.memberId);
  expect(remaining(await api.request('POST', '/nothing-here', { key: other.secret }))).toBe(119);
});

test('the secrets of one key share its count, also concurrently', async () => {
  const { secret, id } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  const old = generateSecret('secret');
  await api.db.pool.query(
    `insert into api_key_secrets (hash, key_id, created_at, valid_until, rotation)
     values ($1, $2, $3, $3::timestamptz + interval '1 day', 1)`,
    [hashSecret(old), id, clock.now()],
  );
  const answers = await many(140, (index) =>
    (index % 3 ? api : second).request('POST', '/nothing-here', { key: index % 2 ? secret : old }),
  );
  expect(refused(answers)).toHaveLength(20);
  const left = answers.filter((answer) => answer.status !== 429).map(remaining);
  expect(left.sort((a, b) => a! - b!)).toEqual(Array.from({ length: 120 }, (_, index) => index));
});

test('concurrent requests of many keys are counted separately', async () => {
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => buildKey(api.db, tenant.siteId, tenant.memberId)),
  );
  const answers = await many(160, (index) => api.request('GET', '/ping', { key: keys[index % 8]!.secret }));
  const byRemaining = Map.groupBy(answers, remaining);
  expect([...byRemaining.keys()].sort((a, b) => a! - b!)).toEqual(
    Array.from({ length: 20 }, (_, index) => 580 + index),
  );
  for (const group of byRemaining.values()) expect(group).toHaveLength(8);
});

describe('above the limit of a key', () => {
  const keysOf = async (siteId: string, memberId: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => buildKey(api.db, siteId, memberId)));
  /** Writes with several keys, each within its own limit, at two instances. */
  const writes = (count: number, keys: readonly { readonly secret: string }[]): Promise<Answer[]> =>
    many(count, (index) =>
      (index % 2 ? api : second).request('POST', '/nothing-here', {
        key: keys[index % keys.length]!.secret,
      }),
    );

  test('all keys of a Site have exactly ten times as much, and the answer says whose limit it is', async () => {
    const keys = await keysOf(tenant.siteId, tenant.memberId, 11);
    const answers = await writes(1_243, keys);
    expect(refused(answers)).toHaveLength(43);
    const [answer] = refused(answers) as [Answer];
    expect(figures(answer)).toEqual([1_200, 0, MINUTE / 1000 + 60]);
    expect(answer.headers.get('retry-after')).toBe('48');
    expect(answer.json.error.message).toMatch(/1200 requests.*of this Site/);
    const let_through = answers.filter(({ status }) => status === 404);
    expect(new Set(let_through.map((each) => figures(each)[0]))).toEqual(new Set([120]));
    expect(figures(await api.request('GET', '/ping', { key: keys[0]!.secret })).slice(0, 2)).toEqual([
      600, 599,
    ]);
  });

  test('an organisation has twenty times as much; an operator multiplies both', async () => {
    const sites = [tenant.siteId];
    while (sites.length < 3) sites.push(await buildSite(api.db, tenant.organisationId));
    const keys = (await Promise.all(sites.map((id) => keysOf(id, tenant.memberId, 10)))).flat();
    const answers = await writes(2_430, keys);
    expect(refused(answers)).toHaveLength(30);
    const [answer] = refused(answers) as [Answer];
    expect([answer.json.error.message, figures(answer)[0]]).toEqual([
      expect.stringMatching(/of this organisation/),
      2_400,
    ]);
    const act = { actor: operator, now: clock.now() };
    await api.db.transaction((tx) =>
      updateOrganisation({ tx, ...act }, tenant.organisationId, { limits: 2 }),
    );
    expect(refused(await writes(60, keys))).toEqual([]);
  });

  test('what a key’s own limit refuses does not count: a key that strangers have shuts nobody out', async () => {
    await many(130, () => api.request('POST', '/nothing-here', { key: tenant.secretKey }));
    const { rows } = await api.db.pool.query(
      'select requests from rate_limit_counters where subject = any($1)',
      [[`site:${tenant.siteId}`, `organisation:${tenant.organisationId}`]],
    );
    expect(rows).toEqual([{ requests: 120 }, { requests: 120 }]);
  });
});

describe('without a usable key', () => {
  const from = (address: string, authorization?: string) =>
    api.request('GET', '/ping', {
      headers: { 'x-forwarded-for': address, ...(authorization ? { authorization } : {}) },
    });

  test('exactly 600 a minute are answered per address; the key’s own count is not affected', async () => {
    const answers = await many(620, (index) =>
      from('192.0.2.1', [undefined, 'Bearer x', `Bearer ${generateSecret('secret')}`][index % 3]),
    );
    expect(refused(answers)).toHaveLength(20);
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(600);
    expect(refused(answers)[0]!.headers.get('retry-after')).toBe('48');
    expect(figures(await from('192.0.2.2'))).toEqual([600, 599, MINUTE / 1000 + 60]);
    const usable = await from('192.0.2.1', `Bearer ${tenant.secretKey}`);
    expect([usable.status, remaining(usable)]).toEqual([200, 599]);
  });

  test('revoked and expired keys count by address', async () => {
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, {
      expiresAt: new Date(MINUTE - 1),
    });
    const answer = await from('192.0.2.3', `Bearer ${secret}`);
    expect([answer.json.error.code, ...figures(answer).slice(0, 2)]).toEqual(['API_KEY_EXPIRED', 600, 599]);
  });

  test('OPTIONS counts by address', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.4' };
    expect(remaining(await api.request('OPTIONS', '/articles', { headers }))).toBe(599);
    expect(remaining(await from('192.0.2.4'))).toBe(598);
  });

  test('X-Forwarded-For is read from the right, as far as proxies are trusted', async () => {
    expect(remaining(await from('203.0.113.9, 192.0.2.5'))).toBe(599);
    expect(remaining(await from('192.0.2.5'))).toBe(598);
    expect(remaining(await from('192.0.2.5, 127.0.0.1'))).toBe(597);
    expect(remaining(await from('::ffff:192.0.2.5'))).toBe(596);
  });

  test('X-Forwarded-For is ignored unless the client is a trusted proxy', async () => {
    const send = (address: string) =>
      second.request('GET', '/ping', { headers: { 'x-forwarded-for': address } });
    const first = remaining(await send('198.51.100.1'))!;
    expect(remaining(await send('198.51.100.2'))).toBe(first - 1);
  });
});
