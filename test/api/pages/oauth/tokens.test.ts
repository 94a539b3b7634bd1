import { operator } from '../../../../domain/audit/record.ts';
import { changeRole, removeMember } from '../../../../domain/organisations/organisations.ts';
import { endMaintenance, startMaintenance } from '../../../../domain/organisations/sites.ts';
import { createHousekeepingActivities } from '../../../../activities/housekeeping.ts';
import { pino } from 'pino';
import type { TestApi } from '../../../support/api.ts';
import { approvedCode, CALLBACK, pkce, refresh, send, startOAuthStack } from '../../../support/oauth.ts';
import type { OAuthStack } from '../../../support/oauth.ts';
import { subscriptionsOf } from '../../../support/subscriptions.ts';
import type { SignInCase } from '../../../support/sign-in.ts';

let stack: OAuthStack;
let api: TestApi;
let next: SignInCase;
let fields: Record<string, string>;

beforeAll(async () => {
  stack = await startOAuthStack();
  ({ api } = stack);
});
beforeEach(async () => {
  next = await stack.nextPerson();
  fields = await approvedCode(stack, next);
});
afterAll(() => stack.close());

const exchange = (changes: object = {}) => send(api, '/oauth/token', { ...fields, ...changes });
const again = (token: string) => refresh(api, fields['client_id'] ?? '', token);
const works = async (key: string) => (await api.request('GET', '/articles', { key })).status;
const act = () => ({ actor: operator, now: stack.clock.now() });

test.each([
  ['another verifier', { code_verifier: pkce().verifier }],
  ['a verifier that is none', { code_verifier: 'x' }],
  ['another redirect', { redirect_uri: `${CALLBACK}/` }],
  ['another client', { client_id: 'https://other.example/client' }],
  ['another code', { code: pkce().verifier }],
  ['a code that is none', { code: '\0' }],
])('%s gets nothing, and takes nothing away', async (_what, changes) => {
  const refused = await exchange(changes);
  expect([refused.status, refused.json.error]).toEqual([400, 'invalid_grant']);
  expect((await exchange()).status).toBe(200);
});

test.each([
  ['without a grant type', { grant_type: '' }, 'invalid_request'],
  ['with an unknown one', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['without a code', { code: '' }, 'invalid_request'],
  ['without a verifier', { code_verifier: '' }, 'invalid_request'],
  ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
])('a request %s is answered as RFC 6749 says', async (_what, changes, error) => {
  const refused = await exchange(changes);
  expect([refused.status, refused.json.error, refused.headers.get('cache-control')]).toEqual([
    400,
    error,
    'no-store',
  ]);
  expect(refused.json.error_description).toMatch(/^[\x20-\x7e]+$/);
});

test('the key of a program is told of once it is made, not at a refresh, and when access ends', async () => {
  const told = subscriptionsOf(api, next.tenant);
  await told.subscribe('key.*');
  const issued = (await exchange()).json;
  const renewed = (await again(issued.refresh_token)).json;
  await send(api, '/oauth/revoke', { token: renewed.refresh_token, client_id: fields['client_id'] ?? '' });
  expect(await works(renewed.access_token)).toBe(401);
  const events = await told.recorded('key.created', 'key.revoked');
  expect(events.map(({ event, data }) => [event, data.name, data.held_by_agent])).toEqual([
    ['key.created', 'A program', true],
    ['key.revoked', 'A program', true],
  ]);
  expect(JSON.stringify(events)).not.toContain(issued.access_token);
});

test('a code is good for 60 seconds', async () => {
  stack.clock.advance(60_000);
  expect((await exchange()).json.error).toBe('invalid_grant');
});

test('a code that is used again ends what came of it', async () => {
  const tokens = (await exchange()).json;
  expect((await exchange()).json.error).toBe('invalid_grant');
  expect(await works(tokens.access_token)).toBe(401);
  expect((await again(tokens.refresh_token)).json.error).toBe('invalid_grant');
});

test('whoever has a used code without its verifier cannot end what came of it', async () => {
  const tokens = (await exchange()).json;
  expect((await exchange({ code_verifier: pkce().verifier })).status).toBe(400);
  expect(await works(tokens.access_token)).toBe(200);
});

test('of ten exchanges of a code at the same time one gets tokens, and there is one key', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => exchange()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  const { rows } = await api.db.pool.query(
    'select revoked_at is not null as revoked from api_keys where site_id = $1 and name = $2',
    [next.tenant.siteId, 'A program'],
  );
  expect(rows).toEqual([{ revoked: true }]);
});

test('ten refreshes with a token at the same time get the same tokens, which work', async () => {
  const tokens = (await exchange()).json;
  const answers = await Promise.all(Array.from({ length: 10 }, () => again(tokens.refresh_token)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const [first, ...others] = answers.map(({ json }) => json);
  for (const other of others) expect(other).toEqual(first);
  expect(await works(first.access_token)).toBe(200);
  expect((await again(first.refresh_token)).status).toBe(200);
});

test('a refresh whose answer was lost is answered again for 30 seconds, and then ends the grant', async () => {
  const tokens = (await exchange()).json;
  const lost = (await again(tokens.refresh_token)).json;
  stack.clock.advance(29_999);
  expect((await again(tokens.refresh_token)).json).toEqual(lost);
  expect(await works(lost.access_token)).toBe(200);
  stack.clock.advance(1);
  expect((await again(tokens.refresh_token)).json.error).toBe('invalid_grant');
  expect(await works(lost.access_token)).toBe(401);
  expect((await again(lost.refresh_token)).status).toBe(400);
});

test('a refresh is not answered again to another client, nor once the key is revoked', async () => {
  const tokens = (await exchange()).json;
  const { access_token: key } = (await again(tokens.refresh_token)).json;
  expect((await refresh(api, stack.host.client(), tokens.refresh_token)).json.error).toBe('invalid_grant');
  expect(await works(key)).toBe(200);
  await send(api, '/oauth/revoke', { client_id: fields['client_id'] ?? '', token: key });
  expect((await again(tokens.refresh_token)).json.error).toBe('invalid_grant');
});

test('the answer to a refresh cannot be read with what is stored', async () => {
  const tokens = (await exchange()).json;
  const answer = (await again(tokens.refresh_token)).json;
  const { rows } = await api.db.pool.query('select * from oauth_grants where site_id = $1', [
    next.tenant.siteId,
  ]);
  const stored = JSON.stringify(rows, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  );
  for (const secret of [answer.access_token, ...answer.refresh_token.split('.'), tokens.refresh_token])
    expect(stored).not.toContain(secret);
});

test.each([
  ['an unknown scope is left out', 'articles:read offline_access'],
  ['without a known one all stay', 'openid offline_access'],
  ['an empty one asks for all', ''],
])('of a refresh %s', async (_what, scope) => {
  const tokens = (await exchange()).json;
  const refreshed = await send(api, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: fields['client_id'] ?? '',
    refresh_token: tokens.refresh_token,
    scope,
  });
  expect([refreshed.status, refreshed.json.scope]).toEqual([
    200,
    scope.startsWith('articles:read') ? 'articles:read' : tokens.scope,
  ]);
});

test('a refresh token of any earlier time ends the key', async () => {
  const first = (await exchange()).json;
  const second = (await again(first.refresh_token)).json;
  const third = (await again(second.refresh_token)).json;
  expect(await works(third.access_token)).toBe(200);
  expect((await again(first.refresh_token)).json.error).toBe('invalid_grant');
  expect(await works(third.access_token)).toBe(401);
  expect((await again(third.refresh_token)).status).toBe(400);
});

test('another client cannot refresh, and takes nothing away', async () => {
  const tokens = (await exchange()).json;
  expect((await refresh(api, stack.host.client(), tokens.refresh_token)).json.error).toBe('invalid_grant');
  expect((await again(tokens.refresh_token)).status).toBe(200);
});

test.each([
  ['was removed', (id: string) => api.db.transaction((tx) => removeMember({ tx, ...act() }, id))],
  [
    'may no longer create keys',
    (id: string) => api.db.transaction((tx) => changeRole({ tx, ...act() }, id, 'editor')),
  ],
])('a person who %s: no exchange, no refresh, and the key is revoked', async (_what, change) => {
  const tokens = (await exchange()).json;
  fields = { ...fields, code: (await approvedCode(stack, next))['code'] ?? '' };
  await change(next.person.memberId);
  expect((await again(tokens.refresh_token)).json.error).toBe('invalid_grant');
  expect((await exchange()).json.error).toBe('invalid_grant');
  const { rows } = await api.db.pool.query(
    'select revoked_at is not null as revoked from api_keys where site_id = $1 and name = $2',
    [next.tenant.siteId, 'A program'],
  );
  expect(rows).toEqual([{ revoked: true }]);
});

test('a key that was revoked in the dashboard is not refreshed', async () => {
  const tokens = (await exchange()).json;
  const { rows } = await api.db.pool.query('select id from api_keys where site_id = $1 and name = $2', [
    next.tenant.siteId,
    'A program',
  ]);
  const revoked = await api.request('DELETE', `/keys/${rows[0].id}`, { key: next.tenant.secretKey });
  expect(revoked.status).toBe(204);
  expect((await again(tokens.refresh_token)).json.error).toBe('invalid_grant');
});

test('under maintenance nothing is issued or ended, and both can be repeated afterwards', async () => {
  await api.db.transaction((tx) => startMaintenance({ tx, ...act() }, next.tenant.siteId, 60));
  const refused = await exchange();
  expect([refused.status, refused.json.error, refused.headers.get('retry-after')]).toEqual([
    503,
    'temporarily_unavailable',
    '60',
  ]);
  await api.db.transaction((tx) => endMaintenance({ tx, ...act() }, next.tenant.siteId));
  expect((await exchange()).status).toBe(200);
});

test('a grant that is not refreshed for 30 days is over, and is cleared away', async () => {
  const tokens = (await exchange()).json;
  stack.clock.advance(30 * 86_400_000);
  expect((await again(tokens.refresh_token)).json.error).toBe('invalid_grant');
  const grants = async () =>
    (await api.db.pool.query('select 1 from oauth_grants where site_id = $1', [next.tenant.siteId])).rows;
  expect(await grants()).toHaveLength(1);
  await createHousekeepingActivities({
    db: api.db,
    clock: stack.clock,
    log: pino({ level: 'silent' }),
  }).deleteExpiredSignIns();
  expect(await grants()).toEqual([]);
});

test('an expired key leaves its place in the limit of keys, and takes it again when it is refreshed', async () => {
  const tokens = (await exchange()).json;
  stack.clock.advance(3_600_000);
  await api.db.pool.query(
    `insert into api_keys (id, site_id, member_id, name, kind, key_prefix, scopes, created_at)
     select uuidv7(), $1, $2, 'Many', 'secret', 'svc_sk_', '{}', now() from generate_series(1, 1000)`,
    [next.tenant.siteId, next.person.memberId],
  );
  const full = await again(tokens.refresh_token);
  expect([full.status, full.json.error]).toEqual([400, 'invalid_request']);
  await api.db.pool.query(`update api_keys set revoked_at = now() where site_id = $1 and name = 'Many'`, [
    next.tenant.siteId,
  ]);
  expect((await again(tokens.refresh_token)).status).toBe(200);
});

test.each<[string, RequestInit, number]>([
  ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }, 400],
  ['a field twice', { body: 'grant_type=refresh_token&grant_type=authorization_code' }, 400],
  [
    'a secret of a client',
    { body: 'grant_type=refresh_token', headers: { authorization: 'Basic YTpi' } },
    401,
  ],
  ['too much', { body: `code=${'x'.repeat(20_000)}` }, 413],
  ['no body', {}, 400],
  ['no UTF-8', { body: 'grant_type=%ff%00&client_id=%00&refresh_token=%00' }, 400],
])('%s is refused in the form of the protocol', async (_what, init, status) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(init.headers as object) };
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    const answer = await fetch(api.origin + path, { method: 'POST', ...init, headers });
    const body = (await answer.json()) as { error: unknown };
    expect([path, answer.status, typeof body.error]).toEqual([path, status, 'string']);
  }
  const got = await fetch(`${api.origin}/oauth/token`);
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
});

test('an access for drafts only stays one over every refresh', async () => {
  fields = await approvedCode(stack, next, { scope: 'articles:write keys:read' }, { drafts_only: 'true' });
  const first = (await exchange()).json;
  const second = (await again(first.refresh_token)).json;
  const third = (await again(second.refresh_token)).json;
  const { items } = (await api.request('GET', '/keys', { key: third.access_token })).data;
  const own = items.filter(({ held_by_agent: held }: { held_by_agent: boolean }) => held);
  expect(own).toMatchObject([{ drafts_only: true, revoked_at: null }]);
  const made = await api.request('POST', '/articles', {
    key: third.access_token,
    body: { title: 'Tea', slug: 'tea', content: 'Boil water.' },
    idempotencyKey: true,
  });
  const published = await api.request('POST', `/articles/${made.data.id}/publish`, {
    key: third.access_token,
  });
  expect([made.status, published.status, published.json.error.code]).toEqual([
    201,
    403,
    'INSUFFICIENT_SCOPE',
  ]);
});
