import type { TestApi } from '../../../support/api.ts';
import { buildArticle } from '../../../support/builders.ts';
import {
  approvedCode,
  authorizePath,
  CALLBACK,
  decide,
  pkce,
  redirected,
  refresh,
  send,
  startOAuthStack,
} from '../../../support/oauth.ts';
import type { OAuthStack } from '../../../support/oauth.ts';

let stack: OAuthStack;
let api: TestApi;

beforeAll(async () => {
  stack = await startOAuthStack();
  ({ api } = stack);
});
afterAll(() => stack.close());

const works = async (key: string) => (await api.request('GET', '/articles', { key })).status;

test('a person gives a program access to one Site: the token is an agent’s key of an hour, in their name', async () => {
  const next = await stack.nextPerson();
  const { tenant, person, visitor } = next;
  const { verifier, challenge } = pkce();
  const clientId = stack.host.client({ client_name: 'Claude' });
  const path = authorizePath(api, clientId, challenge);
  const shown = await visitor.visit(path);
  expect([shown.status, shown.title]).toEqual([200, 'Give this program access?']);
  for (const part of [
    new URL(clientId).host,
    clientId,
    'Claude',
    'client.example',
    'articles:write',
    person.email,
  ])
    expect(shown.html).toContain(part);
  expect(shown.html).not.toContain('keys:write');
  const done = await visitor.submit(path, { do: 'approve', site_id: tenant.siteId });
  expect([done.status, done.headers.get('location')?.startsWith(`${CALLBACK}?`)]).toEqual([303, true]);
  const { code = '', ...others } = redirected(done);
  expect(others).toEqual({ state: 'a state', iss: api.origin });

  const fields = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    resource: `${api.origin}/mcp`,
  };
  const answer = await send(api, '/oauth/token', fields);
  expect(answer.status).toBe(200);
  expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual([
    'no-store',
    'no-cache',
  ]);
  const { access_token, refresh_token, ...told } = answer.json;
  expect(told).toEqual({ token_type: 'Bearer', expires_in: 3_600, scope: 'articles:read articles:write' });
  expect(access_token).toMatch(/^svc_sk_[0-9A-Za-z]{38}$/);

  expect(await works(access_token)).toBe(200);
  const { data } = await api.request('GET', '/keys', { key: tenant.secretKey });
  const listed = data.items.find(({ name }: { name: string }) => name === 'Claude');
  const end = new Date(stack.clock.now().getTime() + 3_600_000).toISOString();
  expect(listed).toMatchObject({
    held_by_agent: true,
    kind: 'secret',
    expires_at: end,
    scopes: ['articles:read', 'articles:write'],
  });
  const { rows } = await api.db.pool.query(
    `select action, actor_kind, actor_id, details ->> 'client_id' as client from audit_log where site_id = $1 and action <> 'sign_in.succeed' and actor_id = $2 order by id`,
    [tenant.siteId, person.memberId],
  );
  expect(rows).toEqual([
    { action: 'oauth_grant.approve', actor_kind: 'person', actor_id: person.memberId, client: clientId },
    { action: 'key.create', actor_kind: 'person', actor_id: person.memberId, client: null },
  ]);
  const stored = await api.db.pool.query('select g::text as text from oauth_grants g where site_id = $1', [
    tenant.siteId,
  ]);
  for (const secret of [code, access_token, refresh_token, verifier])
    expect(stored.rows[0].text).not.toContain(secret);
});

test('a refresh gives the same key a new secret and another hour; the old secret is refused', async () => {
  const next = await stack.nextPerson();
  const fields = await approvedCode(stack, next);
  const first = (await send(api, '/oauth/token', fields)).json;
  stack.clock.advance(3_600_000);
  expect(await works(first.access_token)).toBe(401);
  const second = await refresh(api, fields['client_id'] ?? '', first.refresh_token, {
    resource: `${api.origin}/mcp`,
  });
  expect([second.status, second.json.scope]).toEqual([200, 'articles:read articles:write']);
  expect(second.json.refresh_token).not.toBe(first.refresh_token);
  expect([await works(second.json.access_token), await works(first.access_token)]).toEqual([200, 401]);
  const { rows } = await api.db.pool.query(
    'select rotations from api_keys where site_id = $1 and held_by_agent and name = $2',
    [next.tenant.siteId, 'A program'],
  );
  expect(rows).toEqual([{ rotations: 1 }]);
});

test('a refresh may ask for less, and never for more', async () => {
  const fields = await approvedCode(stack, await stack.nextPerson());
  const clientId = fields['client_id'] ?? '';
  const first = (await send(api, '/oauth/token', fields)).json;
  const more = await refresh(api, clientId, first.refresh_token, { scope: 'articles:read media:read' });
  expect([more.status, more.json.error]).toEqual([400, 'invalid_scope']);
  const less = await refresh(api, clientId, first.refresh_token, { scope: 'articles:read' });
  expect([less.status, less.json.scope]).toEqual([200, 'articles:read']);
  const refused = await api.request('POST', '/articles', {
    key: less.json.access_token,
    body: { title: 'T' },
    idempotencyKey: true,
  });
  expect([refused.status, refused.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

test('an approval that a program has asked for outlasts its tokens', async () => {
  const next = await stack.nextPerson();
  const key = next.tenant.secretKey;
  const fields = await approvedCode(stack, next);
  const first = (await send(api, '/oauth/token', fields)).json;
  const { id } = await buildArticle(api, key);
  const remove = (secret: string, headers: Record<string, string> = {}) =>
    api.request('DELETE', `/articles/${id}`, { key: secret, headers });
  const asked = await remove(first.access_token);
  expect(asked.status).toBe(202);
  const approval = asked.data.approval.id;
  stack.clock.advance(2 * 3_600_000);
  const second = (await refresh(api, fields['client_id'] ?? '', first.refresh_token)).json;
  expect((await api.request('POST', `/approvals/${approval}/approve`, { key })).status).toBe(200);
  expect((await remove(second.access_token, { 'service-approval': approval })).status).toBe(204);
});

test.each([
  ['no scopes', null],
  ['an empty list', ''],
  ['a blank one', ' '],
  ['unknown ones alone', 'openid profile email offline_access'],
])('a program that names %s is shown all but those for keys', async (_what, scope) => {
  const { visitor } = await stack.nextPerson();
  const shown = await visitor.visit(authorizePath(api, stack.host.client(), pkce().challenge, { scope }));
  expect([shown.status, shown.html.includes('media:write')]).toEqual([200, true]);
  expect(shown.html).not.toContain('keys:');
});

test('a scope that is unknown is left out, and the answer tells what was granted', async () => {
  const next = await stack.nextPerson();
  const fields = await approvedCode(stack, next, { scope: 'offline_access articles:read openid' });
  const { json } = await send(api, '/oauth/token', fields);
  expect([json.scope, json.refresh_token]).toEqual(['articles:read', expect.any(String)]);
});

test('denied: the program is told so, and there is nothing to exchange', async () => {
  const { tenant, visitor } = await stack.nextPerson();
  const done = await decide(
    visitor,
    authorizePath(api, stack.host.client(), pkce().challenge),
    tenant.siteId,
    'deny',
  );
  expect(redirected(done)).toEqual({
    error: 'access_denied',
    error_description: 'The person has denied the access.',
    state: 'a state',
    iss: api.origin,
  });
  const { rows } = await api.db.pool.query(
    `select (select count(*)::int from oauth_grants where site_id = $1) as grants, (select count(*)::int from audit_log where site_id = $1 and action = 'oauth_grant.deny') as rows`,
    [tenant.siteId],
  );
  expect(rows).toEqual([{ grants: 0, rows: 1 }]);
});

test.each(['access_token', 'refresh_token'] as const)(
  'revoking the %s ends the key and the refreshes; unknown tokens are fine',
  async (which) => {
    const fields = await approvedCode(stack, await stack.nextPerson());
    const clientId = fields['client_id'] ?? '';
    const tokens = (await send(api, '/oauth/token', fields)).json;
    const foreign = await send(api, '/oauth/revoke', {
      client_id: 'https://other.example/x',
      token: tokens[which],
    });
    expect([foreign.status, foreign.json.error]).toEqual([400, 'invalid_grant']);
    expect(await works(tokens.access_token)).toBe(200);
    const revoked = await send(api, '/oauth/revoke', {
      client_id: clientId,
      token: tokens[which],
      token_type_hint: 'refresh_token',
    });
    expect([revoked.status, revoked.text]).toEqual([200, '']);
    expect(await works(tokens.access_token)).toBe(401);
    expect((await refresh(api, clientId, tokens.refresh_token)).json.error).toBe('invalid_grant');
    for (const token of [tokens[which], 'no token', 'svc_sk_0'])
      expect((await send(api, '/oauth/revoke', { client_id: clientId, token })).status).toBe(200);
  },
);

test('a key that does not come of OAuth cannot be revoked as a token', async () => {
  const { tenant } = await stack.nextPerson();
  expect(
    (await send(api, '/oauth/revoke', { client_id: stack.host.client(), token: tenant.secretKey })).status,
  ).toBe(200);
  expect(await works(tenant.secretKey)).toBe(200);
});
