import { randomUUID } from 'node:crypto';
import { createAuthentication } from '../../domain/access/authenticate.ts';
import type { Identity } from '../../domain/access/authenticate.ts';
import { generateSecret, hashSecret } from '../../domain/access/key-secret.ts';
import { operator } from '../../domain/audit/record.ts';
import { changeRole, removeMember, updateOrganisation } from '../../domain/organisations/organisations.ts';
import { useApi } from '../support/api.ts';
import { buildArticle, buildKey, buildMember, buildTenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';
import { sendRaw } from './raw-http.ts';

const clock = new TestClock();

const api = await useApi({ clock });
const tenant = await buildTenant(api.db);

const withHeader = (authorization: string, path = '/ping') =>
  api.request('GET', path, { headers: { authorization } });

describe('no usable key', () => {
  const wrong: [name: string, header: (key: string) => string][] = [
    ['an empty header', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['another scheme', (key) => `Basic ${key}`],
    ['no scheme', (key) => key],
    ['a key nobody has', () => `Bearer ${generateSecret('secret')}`],
    ['one character too few', (key) => `Bearer ${key.slice(0, -1)}`],
    ['one character too many', (key) => `Bearer ${key}0`],
    ['a wrong checksum', (key) => `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ['other letters', (key) => `Bearer ${key.toLowerCase()}`],
    ['two keys', (key) => `Bearer ${key} ${key}`],
    ['two keys with a comma', (key) => `Bearer ${key},${key}`],
    ['quotes', (key) => `Bearer "${key}"`],
    ['the other kind’s prefix', (key) => `Bearer ${key.replace('svc_sk_', 'svc_pub_')}`],
    ['SQL', () => "Bearer ' or 1=1 --"],
    ['a very long one', () => `Bearer svc_sk_${'0'.repeat(20_000)}`],
  ];

  test('all wrong keys get the same answer, so that existing ones cannot be recognised', async () => {
    const absent = await api.request('GET', '/ping', { headers: { 'Request-Id': 'same' } });
    expect([absent.status, absent.json.error.code]).toEqual([401, 'INVALID_API_KEY']);
    for (const [name, header] of wrong) {
      const headers = { authorization: header(tenant.secretKey), 'Request-Id': 'same' };
      const answer = await api.request('GET', '/ping', { headers });
      expect([name, answer.status, answer.text]).toEqual([name, 401, absent.text]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test.each([
    ['GET', '/articles'],
    ['POST', '/articles'],
    ['GET', '/nothing-here'],
    ['PUT', '/articles'],
    ['DELETE', `/articles/${randomUUID()}`],
    ['GET', '/articles/'],
    ['TRACE', '/ping'],
  ])('%s %s is 401 before anything else is said', async (method, path) => {
    const answer = await sendRaw(api.origin, [`${method} /v1${path} HTTP/1.1`, 'Host: a']);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(answer.headers.get('allow')).toBeNull();
  });

  test.each(['key', 'api_key', 'access_token', 'authorization'])(
    'a key in the query (%s) is none',
    async (name) => {
      expect((await api.request('GET', `/ping?${name}=${tenant.secretKey}`)).status).toBe(401);
    },
  );

  test('a refused key never comes back in the answer', async () => {
    const secret = generateSecret('secret');
    expect((await withHeader(`Bearer ${secret}`)).text).not.toContain(secret.slice(10));
  });
});

describe('a usable key', () => {
  test.each([
    ['Bearer', (key: string) => `Bearer ${key}`],
    ['bearer in small letters', (key: string) => `bearer ${key}`],
    ['BEARER in capitals', (key: string) => `BEARER ${key}`],
    ['several spaces', (key: string) => `Bearer   ${key}`],
  ])('with %s is known', async (_name, header) => {
    expect((await withHeader(header(tenant.secretKey))).status).toBe(200);
  });

  test('is described by /ping', async () => {
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, {
      scopes: ['meta:read', 'keys:write'],
    });
    expect((await withHeader(`Bearer ${secret}`)).data).toEqual({
      pong: true,
      key_kind: 'secret',
      scopes: ['meta:read', 'keys:write'],
    });
  });

  test('with no scopes can ping, and nothing else', async () => {
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: [] });
    expect((await withHeader(`Bearer ${secret}`)).data.scopes).toEqual([]);
    expect((await withHeader(`Bearer ${secret}`, '/site')).status).toBe(403);
  });

  test('only opens its own Site', async () => {
    const other = await buildTenant(api.db);
    await buildArticle(api, tenant.secretKey);
    expect((await withHeader(`Bearer ${other.secretKey}`, '/articles')).data.items).toEqual([]);
  });

  test('has its last use recorded, at most a minute late', async () => {
    const { secret, id } = await buildKey(api.db, tenant.siteId, tenant.memberId);
    const lastUse = async () =>
      (await api.db.pool.query('select last_used_at from api_keys where id = $1', [id])).rows[0].last_used_at;
    expect(await lastUse()).toBeNull();
    await withHeader(`Bearer ${secret}`);
    const first = await lastUse();
    clock.advance(61_000);
    await withHeader(`Bearer ${secret}`);
    expect((await lastUse()).getTime()).toBeGreaterThanOrEqual(first.getTime() + 61_000);
  });
});

describe('a key that was usable', () => {
  test('is 401 API_KEY_EXPIRED from its time on', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { expiresAt });
    expect((await withHeader(`Bearer ${secret}`)).status).toBe(200);
    clock.advanceTo(expiresAt);
    const answer = await withHeader(`Bearer ${secret}`);
    expect([answer.status, answer.json.error.code]).toEqual([401, 'API_KEY_EXPIRED']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('is 401 API_KEY_REVOKED once revoked, expired or not', async () => {
    const { secret, id } = await buildKey(api.db, tenant.siteId, tenant.memberId, {
      expiresAt: new Date(clock.now().getTime() + 1_000),
    });
    await api.db.pool.query('update api_keys set revoked_at = $2 where id = $1', [id, clock.now()]);
    expect((await withHeader(`Bearer ${secret}`)).json.error.code).toBe('API_KEY_REVOKED');
    clock.advance(2_000);
    expect((await withHeader(`Bearer ${secret}`)).json.error.code).toBe('API_KEY_REVOKED');
  });

  test('keeps its old secret for the grace; then that is 401 API_KEY_REVOKED', async () => {
    const { secret, id } = await buildKey(api.db, tenant.siteId, tenant.memberId);
    const old = generateSecret('secret');
    const until = new Date(clock.now().getTime() + 60_000);
    await api.db.pool.query(
      'insert into api_key_secrets (hash, key_id, created_at, valid_until, rotation) values ($1, $2, $3, $4, 1)',
      [hashSecret(old), id, clock.now(), until],
    );
    expect((await withHeader(`Bearer ${old}`)).status).toBe(200);
    clock.advanceTo(until);
    expect((await withHeader(`Bearer ${old}`)).json.error.code).toBe('API_KEY_REVOKED');
    expect((await withHeader(`Bearer ${secret}`)).status).toBe(200);
  });

  test('is only stored as a hash', async () => {
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId);
    const { rows } = await api.db.pool.query(
      'select to_jsonb(k) || to_jsonb(s) as kept from api_keys k join api_key_secrets s on s.key_id = k.id',
    );
    expect(JSON.stringify(rows)).not.toContain(secret.slice(13));
    expect(JSON.stringify(rows)).toContain(hashSecret(secret).toString('hex'));
  });
});

describe('rights', () => {
  test.each([
    ['POST', '/articles'],
    ['PATCH', `/articles/${randomUUID()}`],
    ['DELETE', `/articles/${randomUUID()}`],
    ['POST', '/categories'],
    ['GET', '/webhooks'],
    ['GET', '/events'],
  ])('a publishable key may not %s %s, whatever scopes it carries', async (method, path) => {
    const answer = await api.request(method, path, { key: tenant.publishableKey });
    expect([answer.status, answer.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  test('a publishable key only sees published articles, and may not ask for others', async () => {
    const draft = await buildArticle(api, tenant.secretKey);
    const key = tenant.publishableKey;
    expect((await api.request('GET', '/articles', { key })).data.items).toEqual([]);
    expect((await api.request('GET', `/articles/${draft.id}`, { key })).status).toBe(404);
    expect((await api.request('GET', '/articles?status=published', { key })).status).toBe(200);
    for (const query of [
      'status=draft',
      'status=published&status=draft',
      'status=unheard-of',
      'status=',
      '%73tatus=draft',
    ])
      expect((await api.request('GET', `/articles?${query}`, { key })).json.error.code).toBe(
        'INSUFFICIENT_SCOPE',
      );
  });

  test('each operation has a scope, and a key without it is 403', async () => {
    const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'] });
    expect((await api.request('GET', '/articles', { key: secret })).status).toBe(200);
    const answer = await api.request('POST', '/articles', { key: secret, idempotencyKey: true });
    expect([answer.status, answer.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(answer.json.error.message).toContain('articles:write');
  });

  test('the creator’s current permissions apply to each request, without delay', async () => {
    const member = await buildMember(api.db, tenant.organisationId, 'editor');
    const { secret } = await buildKey(api.db, tenant.siteId, member);
    const statusOf = async (method: string, path: string) =>
      (await api.request(method, path, { key: secret, idempotencyKey: true })).status;
    expect(await statusOf('POST', '/articles')).toBe(201);
    await api.db.transaction((tx) => changeRole({ tx, actor: operator, now: new Date() }, member, 'viewer'));
    expect(await statusOf('POST', '/articles')).toBe(403);
    expect(await statusOf('GET', '/articles')).toBe(200);
    await api.db.transaction((tx) => changeRole({ tx, actor: operator, now: new Date() }, member, 'author'));
    expect(await statusOf('POST', '/articles')).toBe(201);
    expect(await statusOf('POST', '/categories')).toBe(403);
    await api.db.transaction((tx) => removeMember({ tx, actor: operator, now: new Date() }, member));
    for (const path of ['/articles', '/site', '/categories', '/authors'])
      expect(await statusOf('GET', path)).toBe(403);
    expect(await statusOf('GET', '/ping')).toBe(200);
  });

  test('an agent’s key is 403 AGENT_ACCESS_DISABLED while the organisation has disabled agents; others still work', async () => {
    const { organisationId, siteId, memberId, secretKey } = await buildTenant(api.db);
    const { secret } = await buildKey(api.db, siteId, memberId, { heldByAgent: true });
    const set = (agentAccess: boolean) =>
      api.db.transaction((tx) =>
        updateOrganisation({ tx, actor: operator, now: new Date() }, organisationId, { agentAccess }),
      );
    expect((await withHeader(`Bearer ${secret}`, '/articles')).status).toBe(200);
    await set(false);
    const answer = await withHeader(`Bearer ${secret}`, '/articles');
    expect([answer.status, answer.json.error.code]).toEqual([403, 'AGENT_ACCESS_DISABLED']);
    expect((await withHeader(`Bearer ${secretKey}`, '/articles')).status).toBe(200);
    await set(true);
    expect((await withHeader(`Bearer ${secret}`, '/articles')).status).toBe(200);
  });
});

test.each(['/openapi.json', '/v1/openapi.json', '/healthz', '/readyz', '/docs'])(
  '%s needs no key',
  async (path) => {
    expect((await api.request('GET', api.origin + path)).status).toBe(200);
  },
);

test('a cached key keeps nothing else in memory', async () => {
  const authentication = createAuthentication(api.db);
  await authentication.identify(hashSecret(tenant.secretKey), 'read', clock.now());
  const { site } = authentication.recall(hashSecret(tenant.secretKey), clock.now()) as Identity;
  // A small buffer is a slice of a large one, unless it is copied.
  expect(site.cursorKey.buffer.byteLength).toBe(site.cursorKey.length);
});
