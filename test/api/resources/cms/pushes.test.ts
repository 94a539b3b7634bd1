import { randomUUID } from 'node:crypto';
import { buildAgent, sendAs } from '../../../support/approvals.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import { connectionWrite } from '../../../support/connection-write.ts';
import { startPushes } from '../../../support/pushes.ts';
import type { PushStack } from '../../../support/pushes.ts';

let stack: PushStack;

beforeAll(async () => {
  stack = await startPushes();
});
afterAll(() => stack.close());
beforeEach(async () => {
  await stack.disconnect();
  await stack.forgetLimits();
});

const push = (body: object) => stack.request('POST', '/delivery/cms/push', body);
const article = () => buildArticle(stack.api, stack.tenant.secretKey, { title: 'A draft', content: 'Text.' });
const errorOf = ({ status, json }: { status: number; json: any }) => [status, json.error.code];

test('a push is accepted, and names what waits', async () => {
  const { id: connectionId } = await stack.connect(connectionWrite);
  const [one, two] = [await article(), await article()];
  const answer = await push({ article_ids: [two.id, one.id] });
  expect(answer.status).toBe(202);
  const waiting = (id: string) => ({
    article_id: id,
    status: 'waiting',
    remote_url: null,
    error: null,
    attempts: 0,
  });
  expect(answer.data).toEqual({
    id: expect.any(String),
    connection_id: connectionId,
    items: [waiting(two.id), waiting(one.id)],
    created_at: expect.any(String),
    finished_at: null,
  });
  expect(answer.headers.get('location')).toBe(`${stack.api.origin}/v1/delivery/pushes/${answer.data.id}`);
  const read = await stack.request('GET', `/delivery/pushes/${answer.data.id}`);
  expect(read.data).toEqual(answer.data);
  const { data: list } = await stack.request('GET', '/delivery/pushes');
  expect(list.items).toEqual([answer.data]);
  const other = await buildTenant(stack.api.db);
  const elsewhere = await stack.api.request('GET', `/delivery/pushes/${answer.data.id}`, {
    key: other.secretKey,
  });
  expect(elsewhere.status).toBe(404);
});

test('without a connection, or without one that is enabled, it is 409 and names the operation', async () => {
  const { id } = await article();
  for (const existing of [null, { ...connectionWrite, enabled: false }]) {
    if (existing) await stack.connect(existing);
    const answer = await push({ article_ids: [id] });
    expect(errorOf(answer)).toEqual([409, 'PREREQUISITE_MISSING']);
    expect(answer.json.error.message).toContain('POST /delivery/connections');
  }
});

test('without connection_id it is the only enabled connection; with several it is 422', async () => {
  const { id } = await article();
  const only = await stack.connect(connectionWrite);
  const off = await stack.connect({ ...connectionWrite, enabled: false });
  expect((await push({ article_ids: [id] })).data.connection_id).toBe(only.id);
  expect(errorOf(await push({ connection_id: off.id, article_ids: [id] }))).toEqual([409, 'CONFLICT']);
  await stack.connect(connectionWrite);
  const answer = await push({ article_ids: [id] });
  expect(errorOf(answer)).toEqual([422, 'VALIDATION_FAILED']);
  expect(Object.keys(answer.json.error.fields)).toEqual(['connection_id']);
});

test('an unknown connection, and one of another Site, is 404', async () => {
  const { id } = await article();
  const other = await buildTenant(stack.api.db);
  const foreign = await stack.api.request('POST', '/delivery/connections', {
    key: other.secretKey,
    body: connectionWrite,
  });
  for (const connection of [randomUUID(), foreign.data.id])
    expect(errorOf(await push({ connection_id: connection, article_ids: [id] }))).toEqual([404, 'NOT_FOUND']);
});

test('unknown articles, and those of another Site, are 422 by their places', async () => {
  await stack.connect(connectionWrite);
  const { id } = await article();
  const other = await buildTenant(stack.api.db);
  const foreign = await buildArticle(stack.api, other.secretKey, { title: 'Theirs' });
  const answer = await push({ article_ids: [randomUUID(), id, foreign.id] });
  expect(errorOf(answer)).toEqual([422, 'VALIDATION_FAILED']);
  expect(Object.keys(answer.json.error.fields)).toEqual(['article_ids.0', 'article_ids.2']);
  expect((await stack.request('GET', '/delivery/pushes')).data.items).toEqual([]);
});

const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const twice = randomUUID();

test.each([
  ['no articles', { article_ids: [] }, 'article_ids'],
  ['101 articles', { article_ids: ids(101) }, 'article_ids'],
  ['an article twice', { article_ids: [twice, twice.toUpperCase()] }, 'article_ids.1'],
  ['no uuid', { article_ids: ['x'] }, 'article_ids.0'],
  ['a connection that is no uuid', { article_ids: ids(1), connection_id: 'x' }, 'connection_id'],
  ['a force that is no boolean', { article_ids: ids(1), force: 'yes' }, 'force'],
  ['an unknown member', { article_ids: ids(1), urgent: true }, 'urgent'],
])('%s is 422', async (_, body, field) => {
  const answer = await push(body);
  expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, [field]]);
});

test('100 articles can be pushed', async () => {
  await stack.connect(connectionWrite);
  const { rows } = await stack.api.db.pool.query(
    `insert into articles (id, site_id, status, created_at, updated_at)
     select uuidv7(), $1, 'draft', now(), now() from generate_series(1, 100) returning id`,
    [stack.tenant.siteId],
  );
  const answer = await push({ article_ids: rows.map(({ id }) => id) });
  expect([answer.status, answer.data.items.length]).toEqual([202, 100]);
});

test.each([
  ['named', true],
  ['the only one', false],
])(
  'an agent needs an approval, which is for the articles and the connection (%s) as they are',
  async (_, named) => {
    const connection = await stack.connect(connectionWrite);
    const { id } = await article();
    const agent = await buildAgent(stack.api, stack.tenant);
    const body = { ...(named && { connection_id: connection.id }), article_ids: [id] };
    const request = { method: 'POST', path: '/delivery/cms/push', options: { body } };
    const asked = await sendAs(stack.api, agent.secret, request);
    expect([asked.status, asked.data.approval.action]).toEqual([202, 'cms.push']);
    await stack.request('POST', `/approvals/${asked.data.approval.id}/approve`);
    await stack.request('PATCH', `/delivery/connections/${connection.id}`, {
      config: { url: 'https://elsewhere.example/' },
    });
    const refused = await sendAs(stack.api, agent.secret, request, asked.data.approval.id);
    expect(errorOf(refused)).toEqual([409, 'APPROVAL_INVALID']);
    expect((await stack.request('GET', '/delivery/pushes')).data.items).toEqual([]);
  },
);

test('a push is idempotent', async () => {
  await stack.connect(connectionWrite);
  const { id } = await article();
  const options = { key: stack.tenant.secretKey, body: { article_ids: [id] }, idempotencyKey: 'push once' };
  const first = await stack.api.request('POST', '/delivery/cms/push', options);
  const second = await stack.api.request('POST', '/delivery/cms/push', options);
  expect(second.data).toEqual(first.data);
  expect((await stack.request('GET', '/delivery/pushes')).data.items).toHaveLength(1);
});

test('it costs nothing', async () => {
  await stack.connect(connectionWrite);
  const { id } = await article();
  const before = (await stack.request('GET', '/usage')).data.credits;
  await push({ article_ids: [id] });
  expect((await stack.request('GET', '/usage')).data.credits).toEqual(before);
});

test('a thousand unfinished pushes are the limit, beside those that were made by themselves', async () => {
  const { id: connectionId } = await stack.connect(connectionWrite);
  const { id } = await article();
  const { pool } = stack.api.db;
  await pool.query(
    `insert into cms_pushes (id, site_id, connection_id, force, automatic, created_at)
     select uuidv7(), $1, $2, false, true, now() from generate_series(1, 1000)`,
    [stack.tenant.siteId, connectionId],
  );
  expect((await push({ article_ids: [id] })).status).toBe(202);
  await pool.query('update cms_pushes set automatic = false where site_id = $1', [stack.tenant.siteId]);
  const refused = await push({ article_ids: [id] });
  expect(errorOf(refused)).toEqual([409, 'CONFLICT']);
  expect(refused.json.error.message).toMatch(/1000 pushes.*Wait/);
  await pool.query('update cms_pushes set finished_at = now() where site_id = $1', [stack.tenant.siteId]);
});

test('a change of an article that is public makes a push by itself, which does not count', async () => {
  await stack.connect({ ...connectionWrite, auto: true });
  const published = await stack.publish();
  const { rows } = await stack.api.db.pool.query(
    `select p.automatic from cms_pushes p join cms_push_items i on i.push_id = p.id where i.article_id = $1`,
    [published.id],
  );
  expect(rows).toEqual([{ automatic: true }]);
});

test.each([
  ['https://blog.example.com/say-cheese', true],
  ['http://blog.example.com/say-cheese', true],
  ['javascript:alert(1)', false],
  ['data:text/html,<script>', false],
  ['//blog.example.com/', false],
])('of what a remote calls the address of a post, %s, only pages are kept', async (remoteUrl, kept) => {
  const adapter = {
    batch: 1,
    test: async () => '',
    push: async () => [{ status: 'succeeded' as const, remoteUrl, state: {} }],
  };
  const { ports } = stack;
  const { id: connectionId } = await stack.connect(connectionWrite);
  const made = await stack.push(connectionId, [(await article()).id]);
  await stack.work(connectionId, { adapters: { ...ports.adapters, [connectionWrite.kind]: adapter } });
  expect(await stack.items(made.id)).toMatchObject([
    { status: 'succeeded', remote_url: kept ? remoteUrl : null },
  ]);
});
