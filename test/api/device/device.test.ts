import { scopes } from '../../../domain/access/scopes.ts';
import { operator } from '../../../domain/audit.ts';
import { changeRole, removeMember } from '../../../domain/organisations.ts';
import { endMaintenance, startMaintenance } from '../../../domain/sites.ts';
import { startApi } from '../../support/api.ts';
import type { TestApi } from '../../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { TestClock } from '../../support/clock.ts';
import { poll, startDeviceSignIn, wrongCode } from '../../support/device.ts';

const START = Date.parse('2030-01-01T12:00:00Z');
const clock = new TestClock();
let api: TestApi;
let tenant: Tenant;
let minutes = 0;

beforeAll(async () => {
  api = await startApi({ clock, publicUrl: 'https://cms.example.com' });
});
// Each test has a minute, and so a rate limit, of its own.
beforeEach(async () => {
  clock.freeze(new Date(START + (minutes += 60) * 60_000));
  tenant = await buildTenant(api.db);
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

  test('an unusable key beside it does no harm: none is looked for', async () => {
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
    [{ client_name: 'x', scopes: ['articles:read', 'everything'] }, ['scopes.1']],
    [{ client_name: 'x', scopes: 'articles:read' }, ['scopes']],
    [{ client_name: 'x', held_by_agent: 'yes' }, ['held_by_agent']],
    [{ client_name: 'x', colour: 'red', constructor: 1 }, ['colour', 'constructor']],
    [{ scopes: ['x'], expires_in: 1 }, ['client_name', 'expires_in', 'scopes.0']],
  ])('%j is 422, naming every field that is wrong', async (body, fields) => {
    const answer = await api.request('POST', '/auth/device', { body });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(Object.keys(answer.json.error.fields).sort()).toEqual(fields);
  });

  test('a name of 100 characters counts code points', async () => {
    await begin({ client_name: '🗞'.repeat(100) });
  });

  test('what is no JSON object, and a query, are refused as everywhere', async () => {
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
    await inTx((tx) => startMaintenance(tx, operator, tenant.siteId, 30, clock.now()));
    await begin();
    await inTx((tx) => startMaintenance(tx, operator, null, 77, clock.now()));
    const answer = await api.request('POST', '/auth/device', { body: {} });
    await inTx((tx) => endMaintenance(tx, operator, null, clock.now()));
    expect([answer.status, answer.json.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'MAINTENANCE',
      '77',
    ]);
  });
});

describe('the rate limit', () => {
  test('is 60 a minute per address, over both operations, refused ones too, with figures on every answer', async () => {
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
  test('pending, then slow_down for what comes too early, each adding 5', async () => {
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

  test('of twelve polls at once one is in time, and each other one adds 5', async () => {
    const started = await begin();
    const answers = await Promise.all(Array.from({ length: 12 }, () => poll(api, started)));
    const slow = answers.filter(({ data }) => data.status === 'slow_down').map(({ data }) => data.interval);
    expect(answers.filter(({ data }) => data.status === 'authorization_pending')).toHaveLength(1);
    expect(slow.sort((a, b) => a - b)).toEqual(Array.from({ length: 11 }, (_, index) => 10 + 5 * index));
  });

  test.each(['x', 'BCDF-GHJK', '🗞'.repeat(100), "' or 1=1 --"])(
    'a code nobody was given (%j) is expired_token',
    async (device_code) => {
      expect((await poll(api, { device_code })).data).toEqual({ status: 'expired_token', interval: 5 });
    },
  );

  test('the user code is no device code', async () => {
    const { user_code } = await begin();
    expect((await poll(api, { device_code: user_code })).data.status).toBe('expired_token');
  });

  test.each([{}, { device_code: '' }, { device_code: 5 }, { device_code: 'x', grant_type: 'y' }])(
    '%j is 422',
    async (body) => {
      expect((await api.request('POST', '/auth/device/token', { body })).status).toBe(422);
    },
  );

  test('both codes are good for 900 s to the millisecond, approved or not', async () => {
    const [waiting, approved] = [await begin(), await begin()];
    expect((await decide('approve', approved.user_code)).status).toBe(200);
    clock.advance(899_999);
    expect((await poll(api, waiting)).data.status).toBe('authorization_pending');
    clock.advance(1);
    expect((await poll(api, waiting)).data).toEqual({ status: 'expired_token', interval: 5 });
    expect((await poll(api, approved)).data).toEqual({ status: 'expired_token', interval: 5 });
    expect((await decide('approve', waiting.user_code)).status).toBe(404);
    const { rows } = await api.db.pool.query(`select 1 from api_keys where name = 'A device'`);
    expect(rows).toEqual([]);
  });
});

describe('a decision with a key', () => {
  test('approved: the poll gets a key that works, with its secret once', async () => {
    const started = await begin({
      client_name: 'Editor',
      scopes: ['meta:read', 'articles:read', 'meta:read'],
    });
    await poll(api, started);
    const decided = await decide('approve', started.user_code);
    expect([decided.status, decided.data]).toEqual([
      200,
      {
        status: 'approved',
        client_name: 'Editor',
        scopes: ['meta:read', 'articles:read'],
        held_by_agent: false,
      },
    ]);
    // At once: only while nobody has decided can a poll be too early.
    const { status, data } = await poll(api, started);
    expect([status, data.status, data.interval]).toEqual([200, 'approved', 5]);
    expect(data.key).toMatchObject({
      name: 'Editor',
      kind: 'secret',
      scopes: ['meta:read', 'articles:read'],
      held_by_agent: false,
      expires_at: null,
      revoked_at: null,
      secret: expect.stringMatching(/^svc_sk_[0-9A-Za-z]{38}$/),
      secret_replayable: true,
    });
    const { secret } = data.key;
    expect(secret.startsWith(data.key.key_prefix)).toBe(true);
    expect((await api.request('GET', '/site', { key: secret })).status).toBe(200);
    const again = (await poll(api, started)).data;
    expect(again).toEqual({
      status: 'approved',
      interval: 5,
      key: { ...data.key, last_used_at: again.key.last_used_at, secret: null, secret_replayable: false },
    });
    const owner = await api.db.pool.query('select site_id, member_id from api_keys where id = $1', [
      data.key.id,
    ]);
    expect(owner.rows).toEqual([{ site_id: tenant.siteId, member_id: tenant.memberId }]);
  });

  test('of ten polls at once one gets the secret, and one key is made', async () => {
    const started = await begin({ client_name: 'Racer' });
    await decide('approve', started.user_code);
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(api, started)));
    expect(answers.map(({ data }) => data.status)).toEqual(Array(10).fill('approved'));
    expect(answers.filter(({ data }) => data.key.secret !== null)).toHaveLength(1);
    expect(new Set(answers.map(({ data }) => data.key.id)).size).toBe(1);
    const { rows } = await api.db.pool.query(`select 1 from api_keys where name = 'Racer'`);
    expect(rows).toHaveLength(1);
  });

  test('denied: access_denied, and no key', async () => {
    const started = await begin();
    const { status, data } = await decide('deny', started.user_code);
    expect([status, data]).toEqual([
      200,
      { status: 'denied', client_name: 'A device', scopes, held_by_agent: false },
    ]);
    expect((await poll(api, started)).data).toEqual({ status: 'access_denied', interval: 5 });
    expect((await decide('approve', started.user_code)).json.error.code).toBe('CONFLICT');
  });

  test('it is made once: of five at once one wins, the others are 409', async () => {
    const started = await begin();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => decide(index % 2 ? 'approve' : 'deny', started.user_code)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const won = answers.find(({ status }) => status === 200)!.data.status;
    expect((await poll(api, started)).data.status).toBe(won === 'approved' ? 'approved' : 'access_denied');
  });

  test.each([
    ['without dash', (code: string) => code.replace('-', '')],
    ['in lower case', (code: string) => code.toLowerCase()],
    ['with spaces', (code: string) => ` ${code.slice(0, 2)} ${code.slice(2)} `],
    ['with another dash', (code: string) => code.replace('-', '–')],
  ])('the code is taken %s', async (_name, spell) => {
    const { user_code } = await begin();
    expect((await decide('approve', spell(user_code))).status).toBe(200);
  });

  test.each([{}, { user_code: '' }, { user_code: 1 }, { user_code: 'x', scopes: [] }, { user_code: 'a\0' }])(
    '%j is 422',
    async (body) => {
      for (const verb of ['approve', 'deny']) {
        const answer = await api.request('POST', `/auth/device/${verb}`, { key: tenant.secretKey, body });
        expect(answer.status).toBe(422);
      }
    },
  );

  test('what is asked for by default is all that the person and the key can give', async () => {
    const started = await begin();
    const granted = ['articles:read', 'media:write'] as const;
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: granted });
    expect((await decide('approve', started.user_code, secret)).data.scopes).toEqual([...granted]);
    expect((await poll(api, started)).data.key.scopes).toEqual([...granted]);
  });

  test('an empty intersection is a key without scopes', async () => {
    const started = await begin({ scopes: ['articles:read'] });
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['media:read'] });
    expect((await decide('approve', started.user_code, secret)).data.scopes).toEqual([]);
    expect((await poll(api, started)).data.key.scopes).toEqual([]);
  });

  test('held_by_agent is respected', async () => {
    const started = await begin({ held_by_agent: true });
    expect((await decide('approve', started.user_code)).data.held_by_agent).toBe(true);
    expect((await poll(api, started)).data.key.held_by_agent).toBe(true);
  });

  test('takes a secret key of a person who may manage keys; an agent’s key is FORBIDDEN', async () => {
    const { user_code } = await begin();
    const agent = await buildKey(api.db, tenant.siteId, tenant.memberId, { heldByAgent: true });
    const editor = await buildMember(api.db, tenant.organisationId, 'editor');
    const without = await buildKey(api.db, tenant.siteId, editor);
    const codes = [];
    for (const verb of ['approve', 'deny'] as const) {
      for (const key of [agent.secret, without.secret, tenant.publishableKey]) {
        const answer = await decide(verb, user_code, key);
        codes.push([answer.status, answer.json.error.code]);
      }
      expect((await api.request('POST', `/auth/device/${verb}`, { body: { user_code } })).status).toBe(401);
    }
    const refused = [
      [403, 'FORBIDDEN'],
      [403, 'INSUFFICIENT_SCOPE'],
      [403, 'INSUFFICIENT_SCOPE'],
    ];
    expect(codes).toEqual([...refused, ...refused]);
    expect((await decide('approve', user_code)).status).toBe(200);
  });

  test.each([
    ['removed', (member: string) => inTx((tx) => removeMember(tx, operator, member, clock.now()))],
    ['demoted', (member: string) => inTx((tx) => changeRole(tx, operator, member, 'editor', clock.now()))],
  ])('the device of a person who was %s since gets no key', async (_name, change) => {
    const admin = await buildMember(api.db, tenant.organisationId, 'admin');
    const { secret } = await buildKey(api.db, tenant.siteId, admin);
    const started = await begin();
    expect((await decide('approve', started.user_code, secret)).status).toBe(200);
    await change(admin);
    expect((await poll(api, started)).data).toEqual({ status: 'access_denied', interval: 5 });
  });

  test('while the Site is under maintenance the key is not made, and nothing is lost', async () => {
    const started = await begin();
    await decide('approve', started.user_code);
    await inTx((tx) => startMaintenance(tx, operator, tenant.siteId, 30, clock.now()));
    const paused = await poll(api, started);
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '30']);
    await inTx((tx) => endMaintenance(tx, operator, tenant.siteId, clock.now()));
    expect((await poll(api, started)).data.key.secret).toMatch(/^svc_sk_/);
  });

  test('approval, denial and key are in the audit log, under the key that decided', async () => {
    const [yes, no] = [await begin({ scopes: ['meta:read'] }), await begin()];
    await decide('approve', yes.user_code);
    await decide('deny', no.user_code);
    const { key } = (await poll(api, yes)).data;
    const { rows } = await api.db.pool.query(
      `select action, actor_kind, target_type, target_id, details from audit_log
       where site_id = $1 and actor_kind = 'key' order by id`,
      [tenant.siteId],
    );
    expect(rows).toEqual([
      expect.objectContaining({
        action: 'device_sign_in.approve',
        target_type: 'device_sign_in',
        details: { client_name: 'A device', scopes: ['meta:read'], held_by_agent: false },
      }),
      expect.objectContaining({ action: 'device_sign_in.deny' }),
      expect.objectContaining({
        action: 'key.create',
        target_id: key.id,
        details: expect.objectContaining({ device_sign_in: rows[0].target_id }),
      }),
    ]);
  });
});

describe('wrong codes', () => {
  test('five a minute are 404; then 429, also for a right one, until the minute is over', async () => {
    const { user_code } = await begin();
    const other = await buildKey(api.db, tenant.siteId, tenant.memberId);
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        decide(index % 2 ? 'approve' : 'deny', wrongCode(), index % 3 ? tenant.secretKey : other.secret),
      ),
    );
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
    clock.advance(20_000);
    const right = await decide('approve', user_code);
    expect([right.status, right.json.error.code, right.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMIT_EXCEEDED',
      '40',
    ]);
    clock.advance(40_000);
    expect((await decide('approve', user_code)).status).toBe(200);
  });

  test('are counted for each person; right and decided codes do not count', async () => {
    const colleague = await buildMember(api.db, tenant.organisationId, 'admin');
    const { secret } = await buildKey(api.db, tenant.siteId, colleague);
    for (let index = 0; index < 5; index += 1) {
      const { user_code } = await begin();
      expect((await decide('approve', user_code)).status).toBe(200);
      expect((await decide('approve', user_code)).status).toBe(409);
      expect(
        (await decide('approve', ['', 'AEIO-UAEI', 'x', 'BCDF', '0000-0000'][index] || wrongCode())).status,
      ).toBe(404);
    }
    expect((await decide('approve', wrongCode())).status).toBe(429);
    expect((await decide('approve', wrongCode(), secret)).status).toBe(404);
  });
});

test('the database holds none of the codes, and not the secret', async () => {
  const started = await begin({ client_name: 'Hidden' });
  await decide('approve', started.user_code);
  const { secret } = (await poll(api, started)).data.key;
  const { rows } = await api.db.pool.query('select d::text as text from device_authorizations d');
  const text = JSON.stringify(rows);
  expect(text).toContain('Hidden');
  for (const code of [started.device_code, started.user_code, started.user_code.replace('-', ''), secret]) {
    expect(text).not.toContain(code);
    expect(text).not.toContain(Buffer.from(code).toString('hex'));
  }
});
