import { useApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { buildKey, buildMember, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (
  method: string,
  path: string,
  body?: unknown,
  key = tenant.secretKey,
  headers: Record<string, string> = {},
): Promise<Answer> => api.request(method, path, { key, body, headers });
const outcome = (answer: Answer): [number, string | undefined] => [answer.status, answer.json?.error?.code];
const invite = (email: string, role = 'editor', key?: string): Promise<Answer> =>
  call('POST', '/team/invitations', { email, role }, key);
/** A member with a role and a key, and a request with that key. */
const memberWithKey = async (role: 'admin' | 'editor' | 'viewer', heldByAgent = false) => {
  const id = await buildMember(api.db, tenant.organisationId, role);
  return { id, key: (await buildKey(api.db, tenant.siteId, id, { heldByAgent })).secret };
};
const lastActions = async (count: number): Promise<string[]> =>
  (await call('GET', `/audit-log?limit=${count}`)).data.items.map(({ action }: { action: string }) => action);

test('a new member is added at once, and listed', async () => {
  const answer = await invite('ada@example.com');
  expect(answer.status).toBe(201);
  expect(answer.data).toEqual({
    id: expect.any(String),
    email: 'ada@example.com',
    role: 'editor',
    can_sign_in: false,
    created_at: expect.any(String),
  });
  expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([
    `${api.origin}/v1/team/${answer.data.id}`,
    'W/"1"',
  ]);
  expect((await call('GET', `/team/${answer.data.id}`)).data).toEqual(answer.data);
  const { items } = (await call('GET', '/team')).data;
  expect(items.map(({ id }: { id: string }) => id)).toEqual([tenant.memberId, answer.data.id]);
  expect(await lastActions(1)).toEqual(['member.add']);
});

test('one address is one member, in any case, also under concurrency', async () => {
  const answers = await Promise.all([invite('bo@example.com'), invite('BO@example.com')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test.each([
  ['no address', { role: 'editor' }, ['email']],
  ['no mail address', { email: 'ada', role: 'editor' }, ['email']],
  ['an unknown role', { email: 'ada@example.com', role: 'king' }, ['role']],
  ['an unknown field', { email: 'ada@example.com', role: 'editor', admin: true }, ['admin']],
])('an invitation with %s is refused', async (_name, body, fields) => {
  const answer = await call('POST', '/team/invitations', body);
  expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, fields]);
});

test('a demotion restricts every key of the person from the next request on, and a promotion restores it', async () => {
  const { id, key } = await memberWithKey('editor');
  expect((await call('POST', '/tags', { name: 'One' }, key)).status).toBe(201);
  const demoted = await call('PATCH', `/team/${id}`, { role: 'viewer' });
  expect([demoted.status, demoted.data.role, demoted.headers.get('etag')]).toEqual([200, 'viewer', 'W/"2"']);
  expect(outcome(await call('POST', '/tags', { name: 'Two' }, key))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  expect((await call('GET', '/tags', undefined, key)).status).toBe(200);
  await call('PATCH', `/team/${id}`, { role: 'editor' });
  expect((await call('POST', '/tags', { name: 'Two' }, key)).status).toBe(201);
  expect((await lastActions(3)).filter((action) => action === 'member.role')).toHaveLength(2);
});

test('a removed member’s keys may only ping, and the member is gone', async () => {
  const { id, key } = await memberWithKey('admin');
  expect((await call('DELETE', `/team/${id}`)).status).toBe(204);
  expect((await call('GET', '/ping', undefined, key)).status).toBe(200);
  for (const path of ['/articles', '/site', '/team', '/keys']) {
    expect(outcome(await call('GET', path, undefined, key))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  }
  for (const method of ['GET', 'DELETE']) expect((await call(method, `/team/${id}`)).status).toBe(404);
  expect(await lastActions(1)).toEqual(['member.remove']);
});

test('no key changes the access of its own person, not even an agent’s', async () => {
  for (const heldByAgent of [false, true]) {
    const { id, key } = await memberWithKey('admin', heldByAgent);
    for (const [method, body] of [
      ['PATCH', { role: 'editor' }],
      ['PATCH', { role: 'admin' }],
      ['DELETE', undefined],
    ] as const) {
      expect(outcome(await call(method, `/team/${id}`, body, key))).toEqual([403, 'FORBIDDEN']);
    }
    expect((await call('GET', `/team/${id}`)).data.role).toBe('admin');
  }
});

test('no key adds, changes or removes an owner', async () => {
  const { id, key } = await memberWithKey('admin');
  for (const caller of [key, tenant.secretKey]) {
    expect(outcome(await invite('new@example.com', 'owner', caller))).toEqual([403, 'FORBIDDEN']);
  }
  expect(outcome(await call('PATCH', `/team/${id}`, { role: 'owner' }))).toEqual([403, 'FORBIDDEN']);
  const second = await buildMember(api.db, tenant.organisationId, 'owner');
  for (const target of [tenant.memberId, second]) {
    expect(outcome(await call('DELETE', `/team/${target}`, undefined, key))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await call('PATCH', `/team/${target}`, { role: 'viewer' }, key))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  }
});

test('members of another organisation do not exist', async () => {
  const other = await buildTenant(api.db);
  const member = await buildMember(api.db, other.organisationId, 'editor');
  expect((await call('GET', `/team/${member}`)).status).toBe(404);
  expect((await call('PATCH', `/team/${member}`, { role: 'viewer' })).status).toBe(404);
  expect((await call('DELETE', `/team/${member}`)).status).toBe(404);
});

test('If-Match guards a change; a change without effect keeps the version and writes no row', async () => {
  const { data } = await invite('eve@example.com');
  const path = `/team/${data.id}`;
  const same = await call('PATCH', path, { role: 'editor' });
  expect([same.status, same.headers.get('etag')]).toEqual([200, 'W/"1"']);
  expect((await call('PATCH', path, {})).status).toBe(200);
  expect(await lastActions(1)).toEqual(['member.add']);
  const stale = await call('PATCH', path, { role: 'viewer' }, undefined, { 'if-match': 'W/"7"' });
  expect(outcome(stale)).toEqual([412, 'PRECONDITION_FAILED']);
  expect((await call('DELETE', path, undefined, undefined, { 'if-match': 'W/"7"' })).status).toBe(412);
  expect((await call('DELETE', path, undefined, undefined, { 'if-match': 'W/"1"' })).status).toBe(204);
});

test('it needs team.manage and a secret key with the scope', async () => {
  const editor = await memberWithKey('editor');
  const scoped = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'] });
  for (const key of [editor.key, scoped.secret, tenant.publishableKey]) {
    expect(outcome(await call('GET', '/team', undefined, key))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(outcome(await invite('x@example.com', 'viewer', key))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  }
});

test('of two admins who remove each other concurrently, one stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [one, two] = await Promise.all([memberWithKey('admin'), memberWithKey('admin')]);
    const answers = await Promise.all([
      call('DELETE', `/team/${two.id}`, undefined, one.key),
      call('DELETE', `/team/${one.id}`, undefined, two.key),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
  }
});

test('GET on the path of invitations is 405', async () => {
  expect((await call('GET', '/team/invitations')).status).toBe(405);
});

test('a new organisation invites fifty people in its first hour, also at once, and those of the operator do not count', async () => {
  await buildMember(api.db, tenant.organisationId, 'viewer');
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => invite(`person${index}@example.com`)),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(201), count(429)]).toEqual([50, 10]);
});
