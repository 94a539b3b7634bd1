import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (method: string, path: string, body?: object, key = tenant.secretKey): Promise<Answer> =>
  api.request(method, path, { key, body, idempotencyKey: true });
const ping = async (key: string): Promise<string> => {
  const answer = await api.request('GET', '/ping', { key });
  return answer.status === 200 ? 'works' : answer.json.error.code;
};
const create = (body: object = {}, key?: string): Promise<Answer> =>
  call('POST', '/keys', { name: 'A key', kind: 'secret', scopes: ['articles:read'], ...body }, key);

test('a key is created with its secret, shown once', async () => {
  const options = {
    key: tenant.secretKey,
    idempotencyKey: 'one',
    body: { name: 'n', kind: 'secret', scopes: ['articles:read'] },
  };
  const first = await api.request('POST', '/keys', options);
  expect([first.status, first.data.secret_replayable, await ping(first.data.secret)]).toEqual([
    201,
    true,
    'works',
  ]);
  expect(first.data.secret.startsWith(first.data.key_prefix)).toBe(true);
  expect([first.headers.get('etag'), first.headers.get('location')]).toEqual([
    null,
    `${api.origin}/v1/keys/${first.data.id}`,
  ]);
  const again = await api.request('POST', '/keys', options);
  expect(again.data).toEqual({ ...first.data, secret: null, secret_replayable: false });
  expect((await call('GET', '/keys')).text).not.toContain(first.data.secret);
});

test('a key gets the requested scopes that its creator may give and the calling key has', async () => {
  const author = await buildMember(api.db, tenant.organisationId, 'admin');
  const limited = await buildKey(api.db, tenant.siteId, author, { scopes: ['keys:write', 'articles:read'] });
  const granted = await create({ scopes: ['articles:read', 'articles:write', 'media:read'] }, limited.secret);
  expect(granted.data.scopes).toEqual(['articles:read']);
  expect((await create({ scopes: ['media:read'] }, limited.secret)).data.scopes).toEqual([]);
});

test.each([
  ['an unknown scope', { scopes: ['articles:fly'] }, ['scopes']],
  ['one unknown scope among good ones', { scopes: ['articles:read', '__proto__'] }, ['scopes']],
  ['a scope that is no text beside an unknown one', { scopes: [5, 'nope'] }, ['scopes.0', 'scopes']],
  ['a scope that is no text', { scopes: ['articles:read', null] }, ['scopes.1']],
  ['no scope', { scopes: [] }, ['scopes']],
  [
    'a publishable key that would write',
    { kind: 'publishable', scopes: ['articles:read', 'articles:write'] },
    ['scopes'],
  ],
  ['a publishable key that would read media', { kind: 'publishable', scopes: ['media:read'] }, ['scopes']],
  ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, ['expires_at']],
  ['no name', { name: '' }, ['name']],
  ['another kind', { kind: 'master' }, ['kind']],
])('%s is refused', async (_name, body, fields) => {
  const answer = await create(body);
  expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, fields]);
});

describe('by a key that expires', () => {
  const end = new Date(Date.now() + 60 * 60_000);
  const later = new Date(end.getTime() + 1).toISOString();
  const by = () => buildKey(api.db, tenant.siteId, tenant.memberId, { expiresAt: end });

  test('a key expires with it at the latest, and by default at the same time', async () => {
    const { secret } = await by();
    const sooner = new Date(end.getTime() - 1).toISOString();
    for (const [body, expected] of [
      [{}, end.toISOString()],
      [{ expires_at: end.toISOString() }, end.toISOString()],
      [{ expires_at: sooner }, sooner],
    ] as const) {
      const answer = await create(body, secret);
      expect([answer.status, answer.data.expires_at]).toEqual([201, expected]);
    }
    for (const expires_at of [later, null, '2020-01-01T00:00:00Z']) {
      const answer = await create({ expires_at }, secret);
      expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['expires_at']]);
    }
  });

  test('a key that does not expire creates keys with any expiry, or none', async () => {
    expect((await create({ expires_at: later })).data.expires_at).toBe(later);
    for (const body of [{}, { expires_at: null }]) expect((await create(body)).data.expires_at).toBeNull();
  });
});

test('a rotation returns a new secret; the old one is valid for the grace, or ends at once', async () => {
  const { data: key } = await create();
  const first = await call('POST', `/keys/${key.id}/rotate`);
  expect([await ping(key.secret), await ping(first.data.secret)]).toEqual(['works', 'works']);
  expect([first.headers.get('etag'), first.headers.get('location'), first.data.name]).toEqual([
    null,
    null,
    'A key',
  ]);
  const second = await call('POST', `/keys/${key.id}/rotate`, { grace_seconds: 0 });
  expect([await ping(key.secret), await ping(first.data.secret), await ping(second.data.secret)]).toEqual([
    'API_KEY_REVOKED',
    'API_KEY_REVOKED',
    'works',
  ]);
  for (const grace of [-1, 604_801, 1.5, '1']) {
    expect((await call('POST', `/keys/${key.id}/rotate`, { grace_seconds: grace })).status).toBe(422);
  }
});

test('ten concurrent rotations leave one permanent secret', async () => {
  const { data: key } = await create();
  const rotated = await Promise.all(
    Array.from({ length: 10 }, () => call('POST', `/keys/${key.id}/rotate`, { grace_seconds: 0 })),
  );
  const states = await Promise.all(rotated.map(({ data }) => ping(data.secret)));
  expect(states.filter((state) => state === 'works')).toHaveLength(1);
});

test('a revocation is immediate and final, also of the calling key; repeating it is fine', async () => {
  const { data: key } = await create({ scopes: ['keys:write'] });
  expect((await call('DELETE', `/keys/${key.id}`, undefined, key.secret)).status).toBe(204);
  expect(await ping(key.secret)).toBe('API_KEY_REVOKED');
  expect((await call('DELETE', `/keys/${key.id}`)).status).toBe(204);
  expect((await call('POST', `/keys/${key.id}/rotate`)).json.error.code).toBe('CONFLICT');
  const listed = (await call('GET', '/keys')).data.items.find(({ id }: { id: string }) => id === key.id);
  expect(listed.revoked_at).not.toBeNull();
});

test('keys of another Site do not exist', async () => {
  const other = await buildTenant(api.db);
  const { id } = await buildKey(api.db, other.siteId, other.memberId);
  expect((await call('DELETE', `/keys/${id}`)).status).toBe(404);
  expect((await call('POST', `/keys/${id}/rotate`)).status).toBe(404);
});

test('each change of a key is in the audit log, without its secret', async () => {
  const { data: key } = await create();
  const rotated = await call('POST', `/keys/${key.id}/rotate`, { grace_seconds: 60 });
  await call('DELETE', `/keys/${key.id}`);
  const { rows } = await api.db.pool.query(
    'select action, details from audit_log where target_id = $1 order by id',
    [key.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['key.create', 'key.rotate', 'key.revoke']);
  expect(JSON.stringify(rows)).not.toContain(rotated.data.secret);
});

test('an expired key is not rotated, and a rotated one keeps its expiry', async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const { id } = await buildKey(api.db, tenant.siteId, tenant.memberId, { expiresAt });
  const rotated = await call('POST', `/keys/${id}/rotate`);
  expect([rotated.status, rotated.data.expires_at]).toEqual([200, expiresAt.toISOString()]);
  await api.db.pool.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [id]);
  const refused = await call('POST', `/keys/${id}/rotate`);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'CONFLICT']);
});

test('after concurrent rotations and a revocation, no secret of the key works', async () => {
  const { data: key } = await create();
  const [revoked, ...rotated] = await Promise.all([
    call('DELETE', `/keys/${key.id}`),
    ...Array.from({ length: 6 }, () => call('POST', `/keys/${key.id}/rotate`, { grace_seconds: 60 })),
  ]);
  expect(revoked.status).toBe(204);
  for (const answer of rotated) expect([200, 409]).toContain(answer.status);
  const secrets = [key.secret, ...rotated.flatMap(({ data }) => data?.secret ?? [])];
  expect(new Set(await Promise.all(secrets.map(ping)))).toEqual(new Set(['API_KEY_REVOKED']));
});

test('while a key is revoked, each request succeeds or is refused, and none succeeds after the answer', async () => {
  const { data: key } = await create({ scopes: ['articles:read'] });
  const uses = Array.from({ length: 30 }, () => ping(key.secret));
  await call('DELETE', `/keys/${key.id}`);
  const after = await Promise.all(Array.from({ length: 5 }, () => ping(key.secret)));
  for (const state of await Promise.all(uses)) expect(['works', 'API_KEY_REVOKED']).toContain(state);
  expect(new Set(after)).toEqual(new Set(['API_KEY_REVOKED']));
});

test('a replayed rotation has no secret', async () => {
  const { data: key } = await create();
  const options = { key: tenant.secretKey, idempotencyKey: 'rotate-once', body: { grace_seconds: 60 } };
  const first = await api.request('POST', `/keys/${key.id}/rotate`, options);
  const again = await api.request('POST', `/keys/${key.id}/rotate`, options);
  expect(again.data).toEqual({ ...first.data, secret: null, secret_replayable: false });
  expect([again.headers.get('idempotency-replayed'), await ping(first.data.secret)]).toEqual([
    'true',
    'works',
  ]);
});
