import { randomUUID } from 'node:crypto';
import { deleteOldBulkJobs, rescueBulkJobs } from '../../../../domain/bulk/end.ts';
import { useApi } from '../../../support/api.ts';
import { approved, ask, buildAgent, sendAs } from '../../../support/approvals.ts';
import { buildArticle, buildKey, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { carriedOut, readJob, sendJob, work } from '../../../support/bulk.ts';

const api = await useApi({}, { ownDatabase: 'the forgotten jobs of all Sites are counted' });
let tenant: Tenant;

// A key may send 120 writes a minute.
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const send = (body: object, options: object = {}) => sendJob(api, tenant.secretKey, body, options);
const draft = async (): Promise<string> =>
  (await buildArticle(api, tenant.secretKey, { title: 'A draft', content: 'Text.' })).id;
const article_ids = [randomUUID()];
const id = randomUUID();
const time = '2999-01-01T00:00:00Z';
const many = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

test.each([
  ['no members', {}, ['action', 'article_ids']],
  ['an unknown action', { action: 'archive', article_ids }, ['action']],
  ['no articles', { action: 'publish', article_ids: [] }, ['article_ids']],
  ['too many articles', { action: 'publish', article_ids: many(501) }, ['article_ids']],
  ['what is no id', { action: 'publish', article_ids: ['x'] }, ['article_ids.0']],
  [
    'an article twice',
    { action: 'publish', article_ids: [id, randomUUID(), id.toUpperCase()] },
    ['article_ids.2'],
  ],
  ['an unknown member', { action: 'publish', article_ids, force: true }, ['force']],
  ['a member of another action', { action: 'publish', article_ids, category_id: id }, ['category_id']],
  ['two members', { action: 'set_author', article_ids, author_id: id, tag_ids: [id] }, ['tag_ids']],
  ['null for another action', { action: 'delete', article_ids, author_id: null }, ['author_id']],
  ['no category', { action: 'set_category', article_ids }, ['category_id']],
  ['no author', { action: 'set_author', article_ids }, ['author_id']],
  ['no tags', { action: 'add_tags', article_ids }, ['tag_ids']],
  ['empty tags', { action: 'remove_tags', article_ids, tag_ids: [] }, ['tag_ids']],
  ['too many tags', { action: 'add_tags', article_ids, tag_ids: many(101) }, ['tag_ids']],
  ['no time', { action: 'schedule', article_ids }, ['scheduled_publish_at']],
  [
    'what is no time',
    { action: 'schedule', article_ids, scheduled_publish_at: 'soon' },
    ['scheduled_publish_at'],
  ],
  [
    'all that is wrong at once',
    { action: 'schedule', article_ids: [id, id, 'x'], tag_ids: [id] },
    ['article_ids.1', 'article_ids.2', 'scheduled_publish_at', 'tag_ids'],
  ],
])('a request with %s is refused', async (_name, body, fields) => {
  const { status, json } = await send(body);
  expect([status, Object.keys(json.error?.fields ?? {}).toSorted()]).toEqual([422, fields]);
});

test.each([
  { action: 'schedule', scheduled_publish_at: time },
  { action: 'set_category', category_id: null },
  { action: 'add_tags', tag_ids: [id, id] },
  { action: 'publish' },
])('a job is accepted, waits, and can be read: %j', async (body) => {
  const answer = await send({ ...body, article_ids: [id.toUpperCase()] });
  expect(answer.status).toBe(202);
  expect(answer.headers.get('location')).toBe(`${api.origin}/v1/articles/bulk/${answer.data.id}`);
  expect(answer.data).toEqual({
    id: answer.data.id,
    status: 'queued',
    action: body.action,
    items: [{ article_id: id, status: 'waiting', error: null }],
    totals: { waiting: 1, done: 0, failed: 0 },
    created_at: answer.data.created_at,
    finished_at: null,
  });
  const read = await api.request('GET', `/articles/bulk/${answer.data.id}`, { key: tenant.secretKey });
  expect(read.data).toEqual(answer.data);
  expect(read.headers.get('etag')).not.toBeNull();
});

test('a repeated Idempotency-Key answers with the first job and starts no other', async () => {
  const idempotencyKey = randomUUID();
  const body = { action: 'publish', article_ids };
  const [first, again] = [await send(body, { idempotencyKey }), await send(body, { idempotencyKey })];
  expect(again.data).toEqual(first.data);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const other = await send({ ...body, action: 'delete' }, { idempotencyKey });
  expect([other.status, other.json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_CONFLICT']);
  const { rowCount } = await api.db.pool.query('select from bulk_jobs where site_id = $1', [tenant.siteId]);
  expect(rowCount).toBe(1);
});

test('a job of another Site does not exist, and keys need the scope and have to be secret', async () => {
  const job = (await send({ action: 'publish', article_ids })).data;
  const stranger = await buildTenant(api.db);
  const readOnly = (await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['articles:read'] }))
    .secret;
  const statuses = async (key: string) => [
    (await api.request('GET', `/articles/bulk/${job.id}`, { key })).status,
    (await api.request('POST', `/articles/bulk/${job.id}/cancel`, { key })).status,
    (await sendJob(api, key, { action: 'publish', article_ids })).status,
  ];
  expect(await statuses(stranger.secretKey)).toEqual([404, 404, 202]);
  expect(await statuses(readOnly)).toEqual([200, 403, 403]);
  expect(await statuses(tenant.publishableKey)).toEqual([403, 403, 403]);
  expect((await api.request('GET', '/articles/bulk/pending', { key: tenant.secretKey })).status).toBe(404);
});

test('the hundred-and-first unfinished job of a Site is refused', async () => {
  await api.db.pool.query(
    `insert into bulk_jobs (id, site_id, action, parameters, status, key_id, request_id, created_at, active_at)
     select gen_random_uuid(), $1, 'publish', '{}', 'queued', (select id from api_keys where site_id = $1 limit 1), 'r', now(), now()
     from generate_series(1, 99)`,
    [tenant.siteId],
  );
  const answers = await Promise.all([1, 2, 3].map(() => send({ action: 'publish', article_ids })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
  const accepted = answers.find(({ status }) => status === 202);
  await api.request('POST', `/articles/bulk/${accepted?.data.id}/cancel`, { key: tenant.secretKey });
  expect((await send({ action: 'publish', article_ids })).status).toBe(202);
});

test('an agent needs an approval for a job that deletes, which covers the versions of all articles', async () => {
  const agent = await buildAgent(api, tenant);
  const ids = [await draft(), await draft()];
  const request = {
    method: 'POST',
    path: '/articles/bulk',
    options: { body: { action: 'delete', article_ids: ids } },
  };
  expect((await sendJob(api, agent.secret, { action: 'publish', article_ids: many(1) })).data.status).toBe(
    'queued',
  );

  const pending = await ask(api, agent.secret, request);
  const shown = (await api.request('GET', `/approvals/${pending}`, { key: tenant.secretKey })).data;
  expect((shown.approval ?? shown).action).toBe('article.delete');
  const stale = await approved(api, tenant, agent.secret, request);
  await api.request('PATCH', `/articles/${ids[1]}`, { key: tenant.secretKey, body: { title: 'Changed' } });
  const refused = await sendAs(api, agent.secret, request, stale);
  expect([refused.status, refused.json.error.code]).toEqual([409, 'APPROVAL_INVALID']);

  const approval = await approved(api, tenant, agent.secret, request);
  const job = await sendAs(api, agent.secret, request, approval);
  expect([job.status, job.data.status]).toEqual([202, 'queued']);
  expect((await sendAs(api, agent.secret, request, approval)).status).toBe(409);
  // Changed after the job was accepted: that is not what the person approved.
  await api.request('PATCH', `/articles/${ids[0]}`, { key: tenant.secretKey, body: { title: 'Changed' } });
  await work(api, tenant.siteId, job.data.id);
  const { items } = await readJob(api, tenant.secretKey, job.data.id);
  expect(items.map((item: any) => [item.status, item.error?.code])).toEqual([
    ['failed', 'APPROVAL_INVALID'],
    ['done', undefined],
  ]);
});

test('an agent whose organisation exempts deletions needs no approval', async () => {
  const agent = await buildAgent(api, tenant);
  const ids = [await draft()];
  await api.request('PATCH', '/organisation', {
    key: tenant.secretKey,
    body: { approval_operations: ['key.create'] },
  });
  const job = await sendJob(api, agent.secret, { action: 'delete', article_ids: ids });
  expect(job.data.status).toBe('queued');
  await api.request('PATCH', `/articles/${ids[0]}`, { key: tenant.secretKey, body: { title: 'Changed' } });
  await work(api, tenant.siteId, job.data.id);
  expect((await readJob(api, tenant.secretKey, job.data.id)).totals.done).toBe(1);
});

test('a job is kept for 30 days after its end', async () => {
  const kept = await carriedOut(api, tenant, { action: 'publish', article_ids });
  const job = await carriedOut(api, tenant, { action: 'publish', article_ids });
  const waits = (await send({ action: 'publish', article_ids })).data;
  const shift = (jobId: string, age: string) =>
    api.db.pool.query(
      `update bulk_jobs set finished_at = finished_at - $2::interval, created_at = created_at - interval '90 days' where id = $1`,
      [jobId, age],
    );
  await shift(job.id, '30 days 1 second');
  await shift(kept.id, '29 days 23 hours');
  await shift(waits.id, '0 days');
  expect(await api.db.transaction((tx) => deleteOldBulkJobs(tx, new Date(), 10))).toBe(1);
  const { rows } = await api.db.pool.query('select id from bulk_jobs where site_id = $1', [tenant.siteId]);
  expect(rows.map((row) => row.id).toSorted()).toEqual([kept.id, waits.id].toSorted());
  expect((await api.request('GET', `/articles/bulk/${job.id}`, { key: tenant.secretKey })).status).toBe(404);
});

test('a job that nobody works on is handed over again', async () => {
  const { id: jobId } = (await send({ action: 'publish', article_ids })).data;
  await api.db.pool.query('delete from outbox');
  const rescue = (graceMs: number) =>
    api.db.transaction((tx) => rescueBulkJobs(tx, new Date(Date.now() + 1_000), graceMs));
  expect(await rescue(60_000)).toBe(0);
  expect(await rescue(0)).toBeGreaterThan(0);
  const { rows } = await api.db.pool.query('select workflow_id from outbox where workflow_id = $1', [
    `bulk/${jobId}`,
  ]);
  expect(rows).toHaveLength(1);
});
