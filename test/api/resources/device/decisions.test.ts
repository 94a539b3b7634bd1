import { scopes } from '../../../../domain/access/scopes.ts';
import { operator } from '../../../../domain/audit/record.ts';
import { changeRole, removeMember } from '../../../../domain/organisations/organisations.ts';
import { endMaintenance, startMaintenance } from '../../../../domain/organisations/sites.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildKey, buildMember } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import type { TestClock } from '../../../support/clock.ts';
import { poll, startDeviceSignIn, wrongCode } from '../../../support/device.ts';
import { startSignInStack } from '../../../support/sign-in.ts';
import type { SignInStack } from '../../../support/sign-in.ts';

let stack: SignInStack;
let api: TestApi;
let clock: TestClock;
let tenant: Tenant;

beforeAll(async () => {
  stack = await startSignInStack({ publicUrl: 'https://cms.example.com' });
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
    // Immediately: a poll can only be too early while the sign-in is undecided.
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

  test('of ten concurrent polls, one gets the secret, and one key is created', async () => {
    const started = await begin({ client_name: 'Racer' });
    await decide('approve', started.user_code);
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(api, started)));
    expect(answers.map(({ data }) => data.status)).toEqual(Array(10).fill('approved'));
    expect(answers.filter(({ data }) => data.key.secret !== null)).toHaveLength(1);
    expect(new Set(answers.map(({ data }) => data.key.id)).size).toBe(1);
    const { rows } = await api.db.pool.query(`select 1 from api_keys where site_id = $1 and name = 'Racer'`, [
      tenant.siteId,
    ]);
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

  test('is made once: of five concurrent ones, one wins, the others are 409', async () => {
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

  test('by default the device gets every scope that the person and the key can give', async () => {
    const started = await begin();
    const granted = ['articles:read', 'media:write', 'keys:write'] as const;
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: granted });
    expect((await decide('approve', started.user_code, secret)).data.scopes).toEqual([...granted]);
    expect((await poll(api, started)).data.key.scopes).toEqual([...granted]);
  });

  test('an empty intersection is a key without scopes', async () => {
    const started = await begin({ scopes: ['articles:read'] });
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['keys:write'] });
    expect((await decide('approve', started.user_code, secret)).data.scopes).toEqual([]);
    expect((await poll(api, started)).data.key.scopes).toEqual([]);
  });

  test('needs the scope keys:write, to approve and to deny', async () => {
    const { user_code } = await begin();
    const others = scopes.filter((scope) => scope !== 'keys:write');
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: others });
    for (const verb of ['approve', 'deny'] as const) {
      const answer = await decide(verb, user_code, secret);
      expect([answer.status, answer.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
    expect((await decide('deny', user_code)).status).toBe(200);
  });

  test('held_by_agent is respected', async () => {
    const started = await begin({ held_by_agent: true });
    expect((await decide('approve', started.user_code)).data.held_by_agent).toBe(true);
    expect((await poll(api, started)).data.key.held_by_agent).toBe(true);
  });

  test('needs a secret key of a person who may manage keys; an agent’s key is FORBIDDEN', async () => {
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
    [
      'removed',
      (member: string) => inTx((tx) => removeMember({ tx, actor: operator, now: clock.now() }, member)),
    ],
    [
      'demoted',
      (member: string) =>
        inTx((tx) => changeRole({ tx, actor: operator, now: clock.now() }, member, 'editor')),
    ],
  ])('the device of a person who was %s since gets no key', async (_name, change) => {
    const admin = await buildMember(api.db, tenant.organisationId, 'admin');
    const { secret } = await buildKey(api.db, tenant.siteId, admin);
    const started = await begin();
    expect((await decide('approve', started.user_code, secret)).status).toBe(200);
    await change(admin);
    expect((await poll(api, started)).data).toEqual({ status: 'access_denied', interval: 5 });
  });

  test('the device of a Site that is being deleted gets no key', async () => {
    const started = await begin();
    expect((await decide('approve', started.user_code, tenant.secretKey)).status).toBe(200);
    await api.db.pool.query('update sites set deleting_since = now() where id = $1', [tenant.siteId]);
    expect((await poll(api, started)).data).toEqual({ status: 'access_denied', interval: 5 });
  });

  const decider = (expiresAt: Date | null = null) =>
    buildKey(api.db, tenant.siteId, tenant.memberId, { expiresAt });
  const inAnHour = () => new Date(clock.now().getTime() + 60 * 60_000);

  test('the key expires with the deciding key', async () => {
    const end = inAnHour();
    const { secret } = await decider(end);
    const started = await begin();
    await decide('approve', started.user_code, secret);
    expect((await poll(api, started)).data.key.expires_at).toBe(end.toISOString());
  });

  test.each([
    ['revoked', (id: string) => api.request('DELETE', `/keys/${id}`, { key: tenant.secretKey })],
    ['expired', async () => clock.advance(5 * 60_000)],
  ])('a device whose deciding key was %s before the poll gets no key', async (_name, end) => {
    const { secret, id } = await decider(new Date(clock.now().getTime() + 5 * 60_000));
    const started = await begin();
    expect((await decide('approve', started.user_code, secret)).status).toBe(200);
    await end(id);
    expect((await poll(api, started)).data).toEqual({ status: 'access_denied', interval: 5 });
    const { rowCount } = await api.db.pool.query(
      `select from api_keys where site_id = $1 and name = 'A device'`,
      [tenant.siteId],
    );
    expect(rowCount).toBe(0);
  });

  test('rotating the deciding key, even without a grace, does not deny the device', async () => {
    const { secret, id } = await decider();
    const started = await begin();
    await decide('approve', started.user_code, secret);
    const body = { grace_seconds: 0 };
    const rotated = await api.request('POST', `/keys/${id}/rotate`, {
      key: tenant.secretKey,
      idempotencyKey: true,
      body,
    });
    expect([rotated.status, (await poll(api, started)).data.status]).toEqual([200, 'approved']);
  });

  test('with a concurrent revocation and poll, the device gets a key then or never', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { secret, id } = await decider();
      const started = await begin();
      await decide('approve', started.user_code, secret);
      const [first] = await Promise.all([
        poll(api, started),
        api.request('DELETE', `/keys/${id}`, { key: tenant.secretKey }),
      ]);
      expect((await poll(api, started)).data.status).toBe(first.data.status);
    }
  });

  test('during maintenance of the Site the key is not created, and nothing is lost', async () => {
    const started = await begin();
    await decide('approve', started.user_code);
    await inTx((tx) => startMaintenance({ tx, actor: operator, now: clock.now() }, tenant.siteId, 30));
    const paused = await poll(api, started);
    expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '30']);
    await inTx((tx) => endMaintenance({ tx, actor: operator, now: clock.now() }, tenant.siteId));
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
        details: {
          client_name: 'A device',
          scopes: ['meta:read'],
          held_by_agent: false,
          drafts_only: false,
        },
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
  test('are 404, however many and in whatever form; a right one works afterwards', async () => {
    const { user_code } = await begin();
    const wrong = ['AEIO-UAEI', 'x', 'BCDF', '0000-0000', ...Array.from({ length: 20 }, wrongCode)];
    const answers = await Promise.all(
      wrong.map((code, index) => decide(index % 2 ? 'approve' : 'deny', code)),
    );
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual(
      wrong.map(() => [404, 'NOT_FOUND']),
    );
    const right = await decide('approve', user_code);
    expect([right.status, right.headers.get('ratelimit-remaining')]).toEqual([200, '95']);
    expect((await decide('approve', user_code)).status).toBe(409);
  });

  test('are limited by the key’s 120 writes a minute, as its headers show', async () => {
    const { user_code } = await begin();
    expect((await decide('deny', wrongCode())).status).toBe(404);
    await api.db.pool.query(
      `update rate_limit_counters set requests = 119
       where class = 'write' and subject in (select id::text from api_keys where site_id = $1)`,
      [tenant.siteId],
    );
    clock.advance(20_000);
    expect((await decide('deny', wrongCode())).status).toBe(404);
    const refused = await decide('approve', user_code);
    expect(refused.json.error.code).toBe('RATE_LIMIT_EXCEEDED');
    const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
    expect(names.map((name) => refused.headers.get(name))).toEqual([
      '120',
      '0',
      String(clock.now().getTime() / 1_000 + 40),
      '40',
    ]);
    clock.advance(40_000);
    expect((await decide('approve', user_code)).status).toBe(200);
  });
});

test('the database contains neither the codes nor the secret', async () => {
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
