import { randomUUID } from 'node:crypto';
import { operator } from '../../domain/audit/record.ts';
import { updateOrganisation } from '../../domain/organisations/organisations.ts';
import { endMaintenance, startMaintenance } from '../../domain/organisations/sites.ts';
import { useApi } from '../support/api.ts';
import type { RequestOptions } from '../support/api.ts';
import { buildArticle, buildKey, buildPublished, buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { TestClock } from '../support/clock.ts';

const clock = new TestClock();
let tenant: Tenant;

clock.freeze();
const api = await useApi({ clock });
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const maintain = (on: boolean) =>
  api.db.transaction((tx) =>
    on
      ? startMaintenance({ tx, actor: operator, now: new Date() }, tenant.siteId, 60)
      : endMaintenance({ tx, actor: operator, now: new Date() }, tenant.siteId),
  );
const agents = (agentAccess: boolean) =>
  api.db.transaction((tx) =>
    updateOrganisation({ tx, actor: operator, now: new Date() }, tenant.organisationId, { agentAccess }),
  );

const spendWindow = (key: string) =>
  Promise.all(Array.from({ length: 120 }, () => api.request('POST', '/nothing-here', { key })));

test('a request with several errors gets them one after another, in the order of the contract', async () => {
  const { secret, id: keyId } = await buildKey(api.db, tenant.siteId, tenant.memberId, {
    heldByAgent: true,
    scopes: ['articles:read'],
  });
  await buildArticle(api, tenant.secretKey, { slug: 'taken' });
  const article = await buildArticle(api, tenant.secretKey, { title: 'Mine' });
  await spendWindow(secret);
  await maintain(true);
  await agents(false);

  const wrong = {
    key: undefined as string | undefined,
    path: `/articles/${randomUUID()}?colour=red`,
    ifMatch: 'nonsense',
    type: 'text/plain',
    body: '{' as unknown,
  };
  const expectAnswer = async (status: number, code?: string, named = '') => {
    const { key, path, ifMatch, type, body } = wrong;
    const headers = { 'if-match': ifMatch, 'content-type': type };
    const options: RequestOptions = { body, headers, ...(key === undefined ? {} : { key }) };
    const answer = await api.request('PATCH', path, options);
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    if (named !== '') expect(answer.json.error.message).toContain(named);
    return answer;
  };

  await expectAnswer(401, 'INVALID_API_KEY');
  wrong.key = secret;
  await expectAnswer(429, 'RATE_LIMIT_EXCEEDED');
  clock.advance(60_000);
  await expectAnswer(503, 'MAINTENANCE');
  await maintain(false);
  await expectAnswer(403, 'AGENT_ACCESS_DISABLED');
  await agents(true);
  await expectAnswer(403, 'INSUFFICIENT_SCOPE');
  await api.db.pool.query(`update api_keys set scopes = '{articles:write}' where id = $1`, [keyId]);
  wrong.path = wrong.path.split('?')[0]!;
  await expectAnswer(400, 'INVALID_REQUEST', 'If-Match');
  wrong.ifMatch = 'W/"99"';
  wrong.path += '?colour=red';
  await expectAnswer(400, 'INVALID_REQUEST', 'colour');
  wrong.path = wrong.path.split('?')[0]!;
  await expectAnswer(415, 'INVALID_REQUEST');
  wrong.type = 'application/json';
  await expectAnswer(400, 'INVALID_REQUEST', 'JSON');
  wrong.body = { title: 7, status: 'published', category_id: 'x', excerpt: 'a\u0000' };
  const shape = await expectAnswer(422, 'VALIDATION_FAILED');
  expect(Object.keys(shape.json.error.fields).sort()).toEqual(['category_id', 'excerpt', 'status', 'title']);
  wrong.body = { slug: 'taken', category_id: randomUUID() };
  await expectAnswer(404, 'NOT_FOUND');
  wrong.path = `/articles/${article.id}`;
  await expectAnswer(412, 'PRECONDITION_FAILED');
  wrong.ifMatch = 'W/"1"';
  const unknown = await expectAnswer(422, 'VALIDATION_FAILED');
  expect(Object.keys(unknown.json.error.fields)).toEqual(['category_id']);
  wrong.body = { slug: 'taken' };
  await expectAnswer(409, 'SLUG_CONFLICT');
  wrong.body = { slug: 'free' };
  expect((await api.request('PATCH', wrong.path, { key: secret, body: wrong.body })).status).toBe(200);
});

test('headers are checked before the body: no Idempotency-Key is 400, not 413, 415 or 422', async () => {
  for (const options of [
    { body: 'x', headers: { 'content-type': 'text/plain' } },
    { body: { colour: 'red' } },
    { body: 'x'.repeat(2_000_000) },
  ]) {
    const answer = await api.request('POST', '/articles', { key: tenant.secretKey, ...options });
    expect([answer.status, answer.json.error.message]).toEqual([
      400,
      expect.stringContaining('Idempotency-Key'),
    ]);
  }
});

test('a malformed id is 404 after the check of the body’s shape', async () => {
  const path = '/articles/no-uuid';
  const key = tenant.secretKey;
  expect((await api.request('PATCH', path, { key, body: { colour: 'red' } })).status).toBe(422);
  expect((await api.request('PATCH', path, { key, body: '{' })).status).toBe(400);
  expect((await api.request('PATCH', path, { key, body: {} })).status).toBe(404);
  expect((await api.request('GET', `${path}?colour=red`, { key })).status).toBe(400);
});

test('state is checked before values that depend on the time, and both after the target', async () => {
  const key = tenant.secretKey;
  const published = await buildPublished(api, key);
  const past = { scheduled_publish_at: '2020-01-01T00:00:00Z' };
  const schedule = async (id: string, body: object) => {
    const answer = await api.request('POST', `/articles/${id}/schedule`, { key, body });
    return [answer.status, answer.json.error.code];
  };
  expect(await schedule(randomUUID(), past)).toEqual([404, 'NOT_FOUND']);
  expect(await schedule(published.id, { scheduled_publish_at: 'soon' })).toEqual([422, 'VALIDATION_FAILED']);
  expect(await schedule(published.id, past)).toEqual([409, 'CONFLICT']);
  const draft = await buildArticle(api, key, { title: 'T', content: 'C' });
  expect(await schedule(draft.id, past)).toEqual([422, 'VALIDATION_FAILED']);
});

test('values that need the database are checked before SLUG_CONFLICT, also on creation', async () => {
  const key = tenant.secretKey;
  await buildArticle(api, key, { slug: 'taken' });
  const body = { slug: 'taken', author_id: randomUUID() };
  const answer = await api.request('POST', '/articles', { key, idempotencyKey: true, body });
  expect([answer.status, Object.keys(answer.json.error.fields ?? {})]).toEqual([422, ['author_id']]);
});

describe('an unknown path or method', () => {
  test.each([
    ['POST', '/nothing-here', 404],
    ['PATCH', '/articles', 405],
  ])('%s %s is told after 401, 429, 503 and the agent’s 403', async (method, path, status) => {
    const { secret: key } = await buildKey(api.db, tenant.siteId, tenant.memberId, {
      heldByAgent: true,
      scopes: [],
    });
    const ask = async (options: RequestOptions = { key }) =>
      (await api.request(method, path, options)).status;
    await spendWindow(key);
    await maintain(true);
    await agents(false);
    expect(await ask({})).toBe(401);
    expect(await ask()).toBe(429);
    clock.advance(60_000);
    expect(await ask()).toBe(503);
    await maintain(false);
    expect(await ask()).toBe(403);
    await agents(true);
    expect(await ask()).toBe(status);
  });
});
