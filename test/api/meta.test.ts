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

test('ping tells what a key is and may do', async () => {
  const answer = await api.request('GET', '/ping', { key: tenant.publishableKey });
  expect(answer.status).toBe(200);
  expect(answer.data).toMatchObject({ pong: true, key_kind: 'publishable' });
  expect(answer.data.scopes).toContain('articles:read');
});

test('site describes the Site of the key', async () => {
  const answer = await api.request('GET', '/site', { key: tenant.secretKey });
  expect(answer.data).toMatchObject({ timezone: 'Europe/Berlin', locale: 'en' });
});
