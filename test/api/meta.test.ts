import { isPublishableScope, scopes } from '../../domain/access/scopes.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await buildTenant(api.db);
});
afterAll(() => api.close());

test('ping describes a key and its scopes', async () => {
  const answer = await api.request('GET', '/ping', { key: tenant.publishableKey });
  expect(answer.status).toBe(200);
  expect(answer.data).toEqual({
    pong: true,
    key_kind: 'publishable',
    scopes: scopes.filter(isPublishableScope),
  });
});

test('site describes the Site of the key', async () => {
  const answer = await api.request('GET', '/site', { key: tenant.secretKey });
  const { rows } = await api.db.pool.query('select name, domain, created_at from sites where id = $1', [
    tenant.siteId,
  ]);
  const [{ name, domain, created_at: createdAt }] = rows;
  expect(answer.data).toMatchObject({ name, domain, created_at: createdAt.toISOString() });
  expect(answer.data).toMatchObject({ timezone: 'Europe/Berlin', locale: 'en' });
});
