import { operator } from '../../../../domain/audit/record.ts';
import { endMaintenance, startMaintenance } from '../../../../domain/organisations/sites.ts';
import type { TestApi } from '../../../support/api.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { poll, startDeviceSignIn } from '../../../support/device.ts';
import { eventually } from '../../../support/eventually.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import { openRaw } from '../../raw-http.ts';
import type { SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let tenant: Tenant;

beforeAll(async () => {
  // Its own database, because maintenance of the whole installation is switched on.
  stack = await startSignInStack({ publicUrl: 'https://cms.example.com' }, {});
  ({ api, clock } = stack);
});
beforeEach(async () => {
  tenant = await stack.nextTenant();
});
afterAll(() => api.close());

const begin = (body: object = {}) => startDeviceSignIn(api, body);
const decide = (verb: 'approve' | 'deny', user_code: unknown, key = tenant.secretKey) =>
  api.request('POST', `/auth/device/${verb}`, { key, body: { user_code } });
const inTx = (work: Parameters<TestApi['db']['transaction']>[0]) => api.db.transaction(work);

describe('POST /auth/device', () => {
  test('gives codes, addresses and times, without a key', async () => {
    const answer = await api.request('POST', '/auth/device', { body: { client_name: 'Editor' } });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.data).sort()).toEqual(
      [
        'device_code',
        'expires_in',
        'interval',
        'user_code',
        'verification_uri',
        'verification_uri_complete',
      ].sort(),
    );
    expect(answer.data).toMatchObject({
      expires_in: 900,
      interval: 5,
      verification_uri: 'https://cms.example.com/device',
      verification_uri_complete: `https://cms.example.com/device?user_code=${answer.data.user_code}`,
    });
    expect(answer.data.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(answer.data.device_code.length).toBeGreaterThanOrEqual(43);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('an invalid key in the request is ignored', async () => {
    const answer = await api.request('POST', '/auth/device', { key: 'x', body: { client_name: 'Editor' } });
    expect(answer.status).toBe(200);
  });

  test.each([
    [{}, ['client_name']],
    [{ client_name: '' }, ['client_name']],
    [{ client_name: 'x'.repeat(101) }, ['client_name']],
    [{ client_name: 7 }, ['client_name']],
    [{ client_name: 'a\0b' }, ['client_name']],
    [{ client_name: 'x', scopes: [] }, ['scopes']],
    [{ client_name: 'x', scopes: ['articles:read', 'everything'] }, ['scopes']],
    [{ client_name: 'x', scopes: 'articles:read' }, ['scopes']],
    [{ client_name: 'x', held_by_agent: 'yes' }, ['held_by_agent']],
    [{ client_name: 'x', colour: 'red', constructor: 1 }, ['colour', 'constructor']],
    [{ scopes: ['x'], expires_in: 1 }, ['client_name', 'expires_in', 'scopes']],
  ])('%j is 422, naming every field that is wrong', async (body, fields) => {
    const answer = await api.request('POST', '/auth/device', { body });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(answer.json.error.fields).sort()).toEqual(fields);
  });

  test('a name of 100 characters counts code points', async () => {
    await begin({ client_name: '🗞'.repeat(100) });
  });

  test('a body that is not a JSON object, and a query, are refused as usual', async () => {
    const statuses = await Promise.all(
      [
        api.request('POST', '/auth/device'),
        api.request('POST', '/auth/device', { body: '{' }),
        api.request('POST', '/auth/device', { body: 'a=1', headers: { 'content-type': 'text/plain' } }),
        api.request('POST', '/auth/device?colour=red', { body: { client_name: 'x' } }),
        api.request('GET', '/auth/device'),
        api.request('GET', '/auth/device', { key: tenant.secretKey }),
        api.request('POST', '/auth/device/', { body: { client_name: 'x' } }),
      ].map(async (answer) => (await answer).status),
    );
    expect(statuses).toEqual([400, 400, 415, 400, 401, 405, 401]);
  });

  test('maintenance of the platform pauses it; that of a Site does not', async () => {
    await inTx((tx) => startMaintenance({ tx, actor: operator, now: clock.now() }, tenant.siteId, 30));
    await begin();
    await inTx((tx) => startMaintenance({ tx, actor: operator, now: clock.now() }, null, 77));
    const answer = await api.request('POST', '/auth/device', { body: {} });
    await inTx((tx) => endMaintenance({ tx, actor: operator, now: clock.now() }, null));
    expect([answer.status, answer.json.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'MAINTENANCE',
      '77',
    ]);
  });
});

describe('the rate limit', () => {
  test('is 60 a minute per address, for both operations, including refused ones, with the headers on every answer', async () => {
    const figures = async (path: string, body: unknown) => {
      const { status, headers } = await api.request('POST', path, { body });
      const [limit, left, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`ratelimit-${name}`)),
      );
      return { status, limit, left, reset: (reset ?? 0) * 1_000 - clock.now().getTime() };
    };
    expect(await figures('/auth/device', { client_name: 'x' })).toEqual({
      status: 200,
      limit: 60,
      left: 59,
      reset: 60_000,
    });
    expect(await figures('/auth/device', {})).toMatchObject({ status: 422, left: 58 });
    expect(await figures('/auth/device/token', { device_code: 'x' })).toMatchObject({
      status: 200,
      left: 57,
    });
    const rest = await Promise.all(
      Array.from({ length: 67 }, () => figures('/auth/device/token', { device_code: 'x' })),
    );
    expect(rest.filter(({ status }) => status === 200).map(({ left }) => left)).toHaveLength(57);
    const refused = rest.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({ limit: 60, left: 0, reset: 60_000 });
    const { headers, json } = await api.request('POST', '/auth/device', { body: {} });
    expect([json.error.code, headers.get('retry-after')]).toEqual(['RATE_LIMIT_EXCEEDED', '60']);
    const keyed = await api.request('GET', '/ping', { key: tenant.secretKey });
    expect([keyed.status, keyed.headers.get('ratelimit-remaining')]).toEqual([200, '599']);
  });
});

describe('polling', () => {
  test('pending, then slow_down for early polls, each adding 5', async () => {
    const started = await begin();
    const said = async (afterMs: number) => {
      clock.advance(afterMs);
      const { data } = await poll(api, started);
      return [data.status, data.interval];
    };
    expect(await said(0)).toEqual(['authorization_pending', 5]);
    expect(await said(5_000)).toEqual(['authorization_pending', 5]);
    expect(await said(4_999)).toEqual(['slow_down', 10]);
    expect(await said(9_999)).toEqual(['slow_down', 15]);
    expect(await said(15_000)).toEqual(['authorization_pending', 15]);
  });

  test('a poll is judged by the moment at which it is complete', async () => {
    const started = await begin();
    expect((await poll(api, started)).data.status).toBe('authorization_pending');
    const counted = async (): Promise<number> =>
      (
        await api.db.pool.query(
          `select coalesce(sum(requests), 0)::int as sum from rate_limit_counters where class = 'auth'`,
        )
      ).rows[0].sum;
    const before = await counted();
    const text = JSON.stringify({ device_code: started.device_code });
    const exchange = openRaw(api.origin);
    const head = [
      'POST /v1/auth/device/token HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
    ];
    await exchange.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, 1)}`);
    // The API counts a request before it reads the body.
    await eventually('the API has begun', async () => (await counted()) > before);
    clock.advance(5_000);
    await exchange.write(text.slice(1));
    expect((await exchange.answer).json.data).toEqual({ status: 'authorization_pending', interval: 5 });
    exchange.end();
  });

  test('of twelve concurrent polls, one is in time, and each other one adds 5', async () => {
    const started = await begin();
    const answers = await Promise.all(Array.from({ length: 12 }, () => poll(api, started)));
    const slow = answers.filter(({ data }) => data.status === 'slow_down').map(({ data }) => data.interval);
    expect(answers.filter(({ data }) => data.status === 'authorization_pending')).toHaveLength(1);
    expect(slow.sort((a, b) => a - b)).toEqual(Array.from({ length: 11 }, (_, index) => 10 + 5 * index));
  });

  test.each(['x', 'BCDF-GHJK', '🗞'.repeat(100), "' or 1=1 --"])(
    'a code that was never issued (%j) is expired_token',
    async (device_code) => {
      expect((await poll(api, { device_code })).data).toEqual({ status: 'expired_token', interval: 5 });
    },
  );

  test('the user code is not a device code', async () => {
    const { user_code } = await begin();
    expect((await poll(api, { device_code: user_code })).data.status).toBe('expired_token');
  });

  test.each([{}, { device_code: '' }, { device_code: 5 }, { device_code: 'x', grant_type: 'y' }])(
    '%j is 422',
    async (body) => {
      expect((await api.request('POST', '/auth/device/token', { body })).status).toBe(422);
    },
  );

  test('both codes are valid for 900 s to the millisecond, approved or not', async () => {
    const [waiting, approved] = [await begin(), await begin()];
    expect((await decide('approve', approved.user_code)).status).toBe(200);
    clock.advance(899_999);
    expect((await poll(api, waiting)).data.status).toBe('authorization_pending');
    clock.advance(1);
    expect((await poll(api, waiting)).data).toEqual({ status: 'expired_token', interval: 5 });
    expect((await poll(api, approved)).data).toEqual({ status: 'expired_token', interval: 5 });
    expect((await decide('approve', waiting.user_code)).status).toBe(404);
    const { rows } = await api.db.pool.query(
      `select 1 from api_keys where site_id = $1 and name = 'A device'`,
      [tenant.siteId],
    );
    expect(rows).toEqual([]);
  });
});
