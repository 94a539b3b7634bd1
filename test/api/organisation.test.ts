import { randomUUID } from 'node:crypto';
import { defaultGates } from '../../domain/approvals/gated-operations.ts';
import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildArticle, buildKey, buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

const api = await useApi();
let tenant: Tenant;
let agent: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = (await buildKey(api.db, tenant.siteId, tenant.memberId, { heldByAgent: true })).secret;
});

const call = (
  method: string,
  path: string,
  body?: unknown,
  key = tenant.secretKey,
  headers: Record<string, string> = {},
): Promise<Answer> => api.request(method, path, { key, body, headers });
const patch = (body: unknown, key?: string): Promise<Answer> => call('PATCH', '/organisation', body, key);

test('the settings are read, with the default list of gated operations', async () => {
  const answer = await call('GET', '/organisation');
  expect(answer.data).toEqual({
    id: tenant.organisationId,
    name: expect.any(String),
    plan: 'pro',
    agent_access: true,
    approval_operations: [...defaultGates],
    approval_operations_default: true,
    created_at: expect.any(String),
  });
  expect(answer.headers.get('etag')).toBe('W/"1"');
});

test('a change is saved, versioned and audited; without a change nothing is', async () => {
  const { name: named } = (await call('GET', '/organisation')).data;
  const changed = await patch({
    name: 'New name',
    approval_operations: ['key.create', 'article.delete', 'key.create'],
  });
  expect([changed.status, changed.data.name, changed.data.approval_operations]).toEqual([
    200,
    'New name',
    ['article.delete', 'key.create'],
  ]);
  expect(changed.headers.get('etag')).toBe('W/"2"');
  const again = await patch({ name: 'New name' });
  expect(again.headers.get('etag')).toBe('W/"2"');
  const [entry, before] = (await call('GET', '/audit-log?limit=2')).data.items;
  expect([entry.action, entry.details]).toEqual([
    'organisation.update',
    {
      name: { before: named, after: 'New name' },
      approval_operations: { before: null, after: ['article.delete', 'key.create'] },
    },
  ]);
  expect(before.action).not.toBe('organisation.update');
  expect((await patch({ approval_operations: null })).data.approval_operations).toEqual([...defaultGates]);
});

test.each([
  ['an empty name', { name: '' }, ['name']],
  ['an operation that cannot be gated', { approval_operations: ['ping'] }, ['approval_operations.0']],
  ['the plan', { plan: 'pro' }, ['plan']],
  ['an access that is no boolean', { agent_access: 'on' }, ['agent_access']],
])('%s is refused', async (_name, body, fields) => {
  const answer = await patch(body);
  expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, fields]);
});

test('agents cannot change the settings, with or without an approval, whatever they send', async () => {
  const before = (await call('GET', '/organisation')).data;
  for (const body of [
    { agent_access: true },
    { approval_operations: [] },
    { name: 'Agents’ own', approval_operations: null },
    { name: 'By an agent' },
    { plan: 'pro' },
    {},
  ])
    for (const headers of [undefined, { 'service-approval': randomUUID() }]) {
      const answer = await call('PATCH', '/organisation', body, agent, headers);
      expect([answer.status, answer.json.error.code]).toEqual([403, 'FORBIDDEN']);
    }
  expect((await call('GET', '/organisation')).data).toEqual(before);
});

test('disabled agent access applies from the next request on', async () => {
  expect((await call('GET', '/articles', undefined, agent)).status).toBe(200);
  await patch({ agent_access: false });
  expect((await call('GET', '/articles', undefined, agent)).json.error.code).toBe('AGENT_ACCESS_DISABLED');
  await patch({ agent_access: true });
  expect((await call('GET', '/articles', undefined, agent)).status).toBe(200);
});

test('an exempted operation needs no approval, the others do', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const remove = () => call('DELETE', `/articles/${id}`, undefined, agent);
  expect((await remove()).status).toBe(202);
  await patch({ approval_operations: ['key.create'] });
  expect((await remove()).status).toBe(204);
});

test('a change with another version in If-Match is refused', async () => {
  const answer = await call('PATCH', '/organisation', { name: 'x' }, undefined, { 'if-match': '"9"' });
  expect(answer.status).toBe(412);
});

test('it needs settings.manage and a secret key', async () => {
  const editor = await buildMember(api.db, tenant.organisationId, 'editor');
  const { secret } = await buildKey(api.db, tenant.siteId, editor);
  for (const key of [secret, tenant.publishableKey]) {
    expect((await call('GET', '/organisation', undefined, key)).json.error.code).toBe('INSUFFICIENT_SCOPE');
    expect((await patch({ name: 'x' }, key)).json.error.code).toBe('INSUFFICIENT_SCOPE');
  }
});
