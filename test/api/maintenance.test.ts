import { randomUUID } from 'node:crypto';
import { operator } from '../../domain/audit/record.ts';
import { endMaintenance, startMaintenance } from '../../domain/organisations/sites.ts';
import { useApi } from '../support/api.ts';
import { buildArticle, buildTenant } from '../support/builders.ts';

const api = await useApi({}, { ownDatabase: 'maintenance of the whole installation is switched on' });
const tenant = await buildTenant(api.db);
const other = await buildTenant(api.db);
const article = await buildArticle(api, tenant.secretKey);

afterEach(async () => {
  await off(null);
  await off(tenant.siteId);
});

const on = (site: string | null, seconds: number) =>
  api.db.transaction((tx) => startMaintenance({ tx, actor: operator, now: new Date() }, site, seconds));
const off = (site: string | null) =>
  api.db.transaction((tx) => endMaintenance({ tx, actor: operator, now: new Date() }, site));

const write = (key: string) => api.request('POST', '/articles', { key, idempotencyKey: true });

const writes: [method: string, path: () => string][] = [
  ['POST', () => '/articles'],
  ['PATCH', () => `/articles/${article.id}`],
  ['DELETE', () => `/articles/${article.id}`],
  ['POST', () => `/articles/${article.id}/publish`],
  ['POST', () => '/nothing-here'],
  ['DELETE', () => `/articles/${randomUUID()}`],
];

test.each(writes)(
  '%s is 503 MAINTENANCE with Retry-After as set, whatever else is wrong',
  async (method, path) => {
    await on(tenant.siteId, 120);
    const answer = await api.request(method, path(), { key: tenant.secretKey });
    expect([answer.status, answer.json.error.code]).toEqual([503, 'MAINTENANCE']);
    expect(answer.headers.get('retry-after')).toBe('120');
    expect(answer.headers.get('ratelimit-limit')).toBe('120');
  },
);

test('reads still work, and show that nothing was written', async () => {
  await on(tenant.siteId, 60);
  await api.request('DELETE', `/articles/${article.id}`, { key: tenant.secretKey });
  await api.request('PATCH', `/articles/${article.id}`, { key: tenant.secretKey, body: { title: 'New' } });
  const answer = await api.request('GET', `/articles/${article.id}`, { key: tenant.secretKey });
  expect([answer.status, answer.data.title]).toEqual([200, null]);
  for (const [method, path, status] of [
    ['HEAD', '/articles', 200],
    ['OPTIONS', '/articles', 204],
    ['GET', '/ping', 200],
    ['GET', '/nothing-here', 404],
  ] as const)
    expect((await api.request(method, path, { key: tenant.secretKey })).status).toBe(status);
});

test('of one Site does not affect others', async () => {
  await on(tenant.siteId, 60);
  expect((await write(tenant.secretKey)).status).toBe(503);
  expect((await write(other.secretKey)).status).toBe(201);
});

test('of the platform affects every Site', async () => {
  await on(null, 45);
  for (const { secretKey } of [tenant, other]) {
    const answer = await write(secretKey);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '45']);
  }
});

test('of both lasts until both have ended, with the longer Retry-After', async () => {
  await on(null, 30);
  await on(tenant.siteId, 90);
  expect((await write(tenant.secretKey)).headers.get('retry-after')).toBe('90');
  await off(tenant.siteId);
  expect((await write(tenant.secretKey)).headers.get('retry-after')).toBe('30');
  await off(null);
  expect((await write(tenant.secretKey)).status).toBe(201);
});

test('can be changed to another Retry-After', async () => {
  await on(tenant.siteId, 30);
  await on(tenant.siteId, 31);
  expect((await write(tenant.secretKey)).headers.get('retry-after')).toBe('31');
});

test('leaves the idempotency key of a refused write free', async () => {
  const options = { key: tenant.secretKey, idempotencyKey: 'later' };
  await on(tenant.siteId, 30);
  expect((await api.request('POST', '/articles', options)).status).toBe(503);
  await off(tenant.siteId);
  const answer = await api.request('POST', '/articles', options);
  expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
});
