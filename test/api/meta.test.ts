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
