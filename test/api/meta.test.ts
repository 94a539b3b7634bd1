import { isPublishableScope, scopes } from '../../domain/access/scopes.ts';
import { useApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

test('ping describes a key and its scopes', async () => {
  const answer = await api.request('GET', '/ping', { key: tenant.publishableKey });
  expect(answer.status).toBe(200);
  expect(answer.data).toEqual({
    pong: true,
    key_kind: 'publishable',
    scopes: scopes.filter(isPublishableScope),
  });
});
