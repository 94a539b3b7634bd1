import { randomUUID } from 'node:crypto';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { approved, ask, buildAgent, decideAs, sendAs } from '../../../support/approvals.ts';
import type { AgentRequest } from '../../../support/approvals.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { TestClock } from '../../../support/clock.ts';

const DAY = 24 * 60 * 60_000;

const clock = new TestClock();
let tenant: Tenant;
let agent: string;

clock.freeze();
const api = await useApi({ clock });
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  agent = (await buildAgent(api, tenant)).secret;
});

const create = (name = 'A key', idempotencyKey: string = randomUUID()): AgentRequest => ({
  method: 'POST',
  path: '/keys',
  options: { idempotencyKey, body: { name, kind: 'secret', scopes: ['articles:read'] } },
});

const expectInvalid = (answer: Answer, says: string): void => {
  expect([answer.status, answer.json.error.code]).toEqual([409, 'APPROVAL_INVALID']);
  expect(answer.json.error.message).toContain(says);
};

const keysNamed = async (name: string): Promise<number> =>
  (await api.db.pool.query('select from api_keys where name = $1 and site_id = $2', [name, tenant.siteId]))
    .rowCount ?? 0;

test('a denied approval is 403 APPROVAL_DENIED, also after it would have expired', async () => {
  const request = create();
  const id = await ask(api, agent, request);
  await decideAs(api, tenant.secretKey, id, 'deny');
  for (const passing of [0, DAY]) {
    clock.advance(passing);
    const answer = await sendAs(api, agent, request, id);
    expect([answer.status, answer.json.error.code]).toEqual([403, 'APPROVAL_DENIED']);
  }
  expect(await keysNamed('A key')).toBe(0);
});

test('an undecided one cannot be used', async () => {
  const request = create();
  const id = await ask(api, agent, request);
  expectInvalid(await sendAs(api, agent, request, id), 'has not been decided yet');
  await decideAs(api, tenant.secretKey, id);
  expect((await sendAs(api, agent, request, id)).status).toBe(201);
});

test('a used one cannot be used again under another Idempotency-Key', async () => {
  const id = await approved(api, tenant, agent, create());
  expect((await sendAs(api, agent, create(), id)).status).toBe(201);
  expectInvalid(await sendAs(api, agent, create(), id), 'has been used');
  expectInvalid(await sendAs(api, agent, create('Another'), id), 'has been used');
  expect(await keysNamed('A key')).toBe(1);
});

test.each(['approved', 'pending'])(
  'one that is %s is valid for 24 hours, to the millisecond',
  async (status) => {
    const request = create();
    const first = await ask(api, agent, request);
    const second = await ask(api, agent, request);
    if (status === 'approved') for (const id of [first, second]) await decideAs(api, tenant.secretKey, id);
    clock.advance(DAY - 1);
    if (status === 'approved') expect((await sendAs(api, agent, create(), first)).status).toBe(201);
    else expectInvalid(await sendAs(api, agent, request, first), 'has not been decided yet');
    clock.advance(1);
    expectInvalid(await sendAs(api, agent, create(), second), 'has expired');
    const { data } = await api.request('GET', `/approvals/${second}`, { key: agent });
    expect([data.status, data.body]).toEqual(['expired', null]);
  },
);

test.each([['no uuid'], ['{01990000-0000-7000-8000-0000000000aa}'], [''], ['a, b'], [randomUUID()]])(
  'the header %p names none',
  async (header) => {
    const request = create();
    const answer = await api.request(request.method, request.path, {
      ...request.options,
      key: agent,
      headers: { 'service-approval': header },
    });
    expectInvalid(answer, 'is not the id of an approval');
    expect((await api.request('GET', '/approvals', { key: agent })).data.items).toEqual([]);
  },
);

test('its id may be in upper case', async () => {
  const id = await approved(api, tenant, agent, create());
  expect((await sendAs(api, agent, create(), id.toUpperCase())).status).toBe(201);
});

test('one of another Site is unknown', async () => {
  const other = await buildTenant(api.db);
  const { secret } = await buildAgent(api, other);
  const id = await approved(api, other, secret, create());
  expectInvalid(await sendAs(api, agent, create(), id), 'is not the id of an approval');
  expect((await sendAs(api, secret, create(), id)).status).toBe(201);
});

test('one that another key requested is not valid, even of the same person', async () => {
  const { secret } = await buildAgent(api, tenant);
  const id = await approved(api, tenant, agent, create());
  expectInvalid(await sendAs(api, secret, create(), id), 'another key');
  expect((await sendAs(api, agent, create(), id)).status).toBe(201);
});

test('a key with a rotated secret is still the same key', async () => {
  const { secret, id: keyId } = await buildAgent(api, tenant);
  const id = await approved(api, tenant, secret, create());
  const rotated = await api.request('POST', `/keys/${keyId}/rotate`, {
    key: tenant.secretKey,
    idempotencyKey: true,
  });
  expect((await sendAs(api, rotated.data.secret, create(), id)).status).toBe(201);
});

test('one for another path, method or body is not valid', async () => {
  const [first, second] = [await buildArticle(api, agent), await buildArticle(api, agent)];
  const remove = (path: string): AgentRequest => ({ method: 'DELETE', path, options: {} });
  const id = await approved(api, tenant, agent, remove(`/articles/${first.id}`));
  expectInvalid(
    await sendAs(api, agent, remove(`/articles/${second.id}`), id),
    `DELETE /articles/${first.id}`,
  );
  expectInvalid(await sendAs(api, agent, create(), id), `DELETE /articles/${first.id}`);
  expect((await sendAs(api, agent, remove(`/articles/${first.id.toUpperCase()}`), id)).status).toBe(204);

  const key = await buildAgent(api, tenant, { scopes: ['articles:read'] });
  const rotate = {
    method: 'POST',
    path: `/keys/${key.id}/rotate`,
    options: { idempotencyKey: true as const },
  };
  const rotation = await approved(api, tenant, agent, rotate);
  expectInvalid(await sendAs(api, agent, remove(`/keys/${key.id}`), rotation), `POST /keys/${key.id}/rotate`);

  const body = await approved(api, tenant, agent, create('One'));
  expectInvalid(await sendAs(api, agent, create('Two'), body), 'another body');
  expect((await sendAs(api, agent, create('One'), body)).status).toBe(201);
});

/** An article that a cancelled run left unfinished. */
async function unfinished(): Promise<string> {
  const key = tenant.secretKey;
  const body = { topics: [{ title: 'How to bake bread' }] };
  const { data: run } = await api.request('POST', '/pipeline/runs', { key, body });
  await api.request('POST', `/pipeline/runs/${run.id}/cancel`, { key });
  return run.articles[0].article_id;
}

const forArticles = (path: string, ids: readonly string[]): AgentRequest => ({
  method: 'POST',
  path,
  options: { body: { article_ids: ids } },
});

describe.each(['/pipeline/runs', '/seo/scans/on-page'])('for %s with named articles, one', (path) => {
  test('is valid for the articles as they were when it was requested', async () => {
    const [first, second] = [await unfinished(), await unfinished()];
    const request = forArticles(path, [first, second]);
    const outdated = await approved(api, tenant, agent, request);
    const body = { title: 'Something else' };
    expect((await api.request('PATCH', `/articles/${second}`, { key: agent, body })).status).toBe(200);
    expectInvalid(await sendAs(api, agent, request, outdated), 'changed since');
    const { status, data } = await sendAs(api, agent, request, await approved(api, tenant, agent, request));
    expect([status, data.status]).toEqual([202, 'queued']);
  });

  test('is requested for unknown ones too, which are refused after it', async () => {
    const request = forArticles(path, [randomUUID()]);
    const id = await approved(api, tenant, agent, request);
    const { status, json } = await sendAs(api, agent, request, id);
    expect([status, Object.keys(json.error.fields)]).toEqual([422, ['article_ids.0']]);
    expect((await api.request('GET', `/approvals/${id}`, { key: agent })).data.status).toBe('approved');
  });
});

test('a body is the same regardless of white space and of the order of its members', async () => {
  const id = await approved(api, tenant, agent, create('Same'));
  const options = {
    idempotencyKey: true as const,
    body: '{ "scopes":["articles:read"],\n "kind":"secret","name":"Same" }',
    headers: { 'content-type': 'application/json' },
  };
  expect((await sendAs(api, agent, { ...create(), options }, id)).status).toBe(201);
});

test('counters of the target, such as last_used_at, do not count as a change', async () => {
  const { secret, id: keyId } = await buildAgent(api, tenant);
  const revoke = { method: 'DELETE', path: `/keys/${keyId}`, options: {} };
  const id = await approved(api, tenant, agent, revoke);
  clock.advance(120_000);
  expect((await api.request('GET', '/ping', { key: secret })).status).toBe(200);
  expect((await sendAs(api, agent, revoke, id)).status).toBe(204);
});

test('a key whose person has lost the permission is refused before its approval is checked', async () => {
  const id = await approved(api, tenant, agent, create());
  await api.db.pool.query(`update members set role = 'viewer' where id = $1`, [tenant.memberId]);
  const answer = await sendAs(api, agent, create(), id);
  expect([answer.status, answer.json.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

test('the body is deleted once the approval was used, denied or has expired', async () => {
  const stored = async (id: string) =>
    (await api.db.pool.query('select body, body_hash from approvals where id = $1', [id])).rows[0];
  const used = await approved(api, tenant, agent, create());
  expect((await stored(used)).body).toEqual(create().options.body);
  await sendAs(api, agent, create(), used);
  const denied = await ask(api, agent, create());
  await decideAs(api, tenant.secretKey, denied, 'deny');
  for (const id of [used, denied]) expect(await stored(id)).toEqual({ body: null, body_hash: null });
});
