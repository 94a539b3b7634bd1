import { KEY_LIMIT } from '../../domain/access/keys.ts';
import { PENDING_LIMIT } from '../../domain/approvals/ask.ts';
import { FORMAT_LIMIT } from '../../domain/content-types/manage.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildAgent } from '../support/approvals.ts';
import { buildKey, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { poll, startDeviceSignIn } from '../support/device.ts';
import { blueprint } from '../support/home.ts';

const api = await useApi();
let tenant: Tenant;
let agent: { secret: string; id: string };

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = await buildAgent(api, tenant);
});

const AT_ONCE = 50;
const LEFT = 7;

const count = async (table: string, condition = 'true'): Promise<number> =>
  (
    await api.db.pool.query(
      `select count(*)::int as rows from ${table} where site_id = $1 and ${condition}`,
      [tenant.siteId],
    )
  ).rows[0].rows;
const post = (path: string, body: object, key = tenant.secretKey): Promise<Answer> =>
  api.request('POST', path, { key, body, idempotencyKey: true });
const outcome = ({ status, json }: Answer): string => json?.error?.code ?? String(status);

/** Adds valid keys until there are as many as wanted. */
const fillKeys = async (total: number): Promise<void> => {
  await api.db.pool.query(
    `insert into api_keys (id, site_id, member_id, name, kind, key_prefix, scopes, created_at, expires_at)
     select gen_random_uuid(), $1, $2, 'Filler', 'secret', 'svc_sk_', '{}', now(),
       case when n % 2 = 0 then now() + interval '1 day' end
     from generate_series(1, $3::int) n`,
    [tenant.siteId, tenant.memberId, total - (await count('api_keys'))],
  );
};
const createKey = (): Promise<Answer> =>
  post('/keys', { name: 'One more', kind: 'secret', scopes: ['articles:read'] });

const ceilings = [
  {
    what: 'keys',
    limit: KEY_LIMIT,
    table: 'api_keys',
    wayOut: 'DELETE /keys/{id}',
    fill: fillKeys,
    create: createKey,
    created: '201',
  },
  {
    what: 'formats of its own',
    limit: FORMAT_LIMIT,
    table: 'content_types',
    wayOut: 'PATCH /content-types/{id}',
    fill: (total: number) =>
      api.db.pool.query(
        `insert into content_types (id, site_id, key, name, blueprint, created_at, updated_at)
         select gen_random_uuid(), $1, 'filler-' || n, 'Filler', $2, now(), now() from generate_series(1, $3::int) n`,
        [tenant.siteId, JSON.stringify(blueprint), total],
      ),
    create: (number: number) => post('/content-types', { name: `Format ${number}`, blueprint }),
    created: '201',
  },
  {
    what: 'approvals that wait',
    limit: PENDING_LIMIT,
    table: 'approvals',
    wayOut: 'GET /approvals',
    fill: (total: number) =>
      api.db.pool.query(
        `insert into approvals (id, site_id, key_id, action, method, path, body_hash, created_at, expires_at)
         select gen_random_uuid(), $1, $2, 'key.create', 'POST', '/keys', '\\x00', now(), now() + interval '1 day'
         from generate_series(1, $3::int)`,
        [tenant.siteId, agent.id, total],
      ),
    create: () =>
      post('/keys', { name: 'Asked for', kind: 'secret', scopes: ['articles:read'] }, agent.secret),
    created: '202',
  },
] as const;

describe.each(ceilings)('$what: $limit', ({ limit, table, wayOut, fill, create, created }) => {
  test('of fifty concurrent creates near the limit, exactly as many succeed as there is room for', async () => {
    await fill(limit - LEFT);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => create(number)));
    const outcomes = answers.map(outcome);
    expect(outcomes.filter((one) => one === created)).toHaveLength(LEFT);
    expect(outcomes.filter((one) => one === 'CONFLICT')).toHaveLength(AT_ONCE - LEFT);
    expect(await count(table)).toBe(limit);
  });

  test('the refusal names the limit and what to do', async () => {
    await fill(limit);
    const { status, json } = await create(1);
    expect(status).toBe(409);
    expect(json.error.message).toContain(limit === KEY_LIMIT ? '1000' : String(limit));
    expect(json.error.message).toContain(wayOut);
  });

  test('another Site is not affected', async () => {
    await fill(limit);
    const other = await buildTenant(api.db);
    const otherAgent = await buildAgent(api, other);
    const [key, asked] = [{ name: 'K', kind: 'secret', scopes: ['articles:read'] }, otherAgent.secret];
    expect((await post('/keys', key, other.secretKey)).status).toBe(201);
    expect((await post('/content-types', { name: 'F', blueprint }, other.secretKey)).status).toBe(201);
    expect((await post('/keys', key, asked)).status).toBe(202);
  });
});

describe('keys', () => {
  const end = (condition: string, change: string) =>
    api.db.pool.query(
      `update api_keys set ${change} where id = (
         select id from api_keys where site_id = $1 and name = 'Filler' and ${condition} limit 1)`,
      [tenant.siteId],
    );

  test('those that are revoked or expired do not count', async () => {
    await fillKeys(KEY_LIMIT);
    expect(outcome(await createKey())).toBe('CONFLICT');
    await end('expires_at is null', 'revoked_at = now()');
    expect(outcome(await createKey())).toBe('201');
    await end('expires_at is not null', `expires_at = now() - interval '1 second'`);
    expect(outcome(await createKey())).toBe('201');
    expect(outcome(await createKey())).toBe('CONFLICT');
  });

  test('the limit is checked before the requested expiry, and after the rights', async () => {
    await fillKeys(KEY_LIMIT);
    const body = { name: 'K', kind: 'secret', scopes: ['articles:read'], expires_at: '2020-01-01T00:00:00Z' };
    expect(outcome(await post('/keys', body))).toBe('CONFLICT');
    const { secret } = await buildKeyBeforeTheLimit();
    expect(outcome(await post('/keys', body, secret))).toBe('INSUFFICIENT_SCOPE');
  });

  /** A key without scopes, created while there is room. */
  async function buildKeyBeforeTheLimit(): Promise<{ secret: string }> {
    await end('true', 'revoked_at = now()');
    return buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: [] });
  }

  test('one that a device collects counts: the device gets its key once another is revoked', async () => {
    const started = await startDeviceSignIn(api);
    const decided = await api.request('POST', '/auth/device/approve', {
      key: tenant.secretKey,
      body: { user_code: started.user_code },
    });
    expect(decided.status).toBe(200);
    await fillKeys(KEY_LIMIT);
    expect(outcome(await poll(api, started))).toBe('CONFLICT');
    await end('true', 'revoked_at = now()');
    expect((await poll(api, started)).data.status).toBe('approved');
  });

  test('one that the operator creates counts', async () => {
    await fillKeys(KEY_LIMIT);
    await expect(buildKey(api.db, tenant.siteId, tenant.memberId)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  test('at the limit a key is still rotated and revoked', async () => {
    await fillKeys(KEY_LIMIT);
    expect((await post(`/keys/${agent.id}/rotate`, {})).status).toBe(200);
    expect((await api.request('DELETE', `/keys/${agent.id}`, { key: tenant.secretKey })).status).toBe(204);
  });
});

test('decided and expired approvals make room for others', async () => {
  const { fill, create } = ceilings[2];
  await fill(PENDING_LIMIT);
  expect(outcome(await create())).toBe('CONFLICT');
  const { data } = await api.request('GET', '/approvals?limit=1', { key: tenant.secretKey });
  await api.request('POST', `/approvals/${data.items[0].id}/deny`, { key: tenant.secretKey });
  expect(outcome(await create())).toBe('202');
  expect(outcome(await create())).toBe('CONFLICT');
  await api.db.pool.query(
    `update approvals set expires_at = now() - interval '1 second'
     where id = (select id from approvals where site_id = $1 and status = 'pending' limit 1)`,
    [tenant.siteId],
  );
  expect(outcome(await create())).toBe('202');
});
