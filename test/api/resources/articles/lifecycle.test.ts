import { z } from 'zod';
import { sql } from '../../../../db/sql.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant } from '../../../support/builders.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const call = (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> => api.request(method, path, { key: tenant.secretKey, body, headers });
const draft = (body: object = {}) =>
  buildArticle(api, tenant.secretKey, { title: 'A draft', content: 'Text.', ...body });
const lifecycle = (id: string, name: string, body?: object): Promise<Answer> =>
  call('POST', `/articles/${id}/${name}`, body);
const hour = 3_600_000;
const fromNow = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
const fieldsOf = (answer: Answer): string[] => Object.keys(answer.json.error.fields).toSorted();

async function inStatus(status: string): Promise<string> {
  const { id } = await draft();
  await api.db.pool.query('update articles set status = $2 where id = $1', [id, status]);
  return id;
}

async function events(id: string): Promise<string[]> {
  const rows = await api.db.any(sql.type(z.object({ event: z.string() }))`
    select event from events where body::jsonb -> 'data' ->> 'id' = ${id} order by created_at, id`);
  return rows.map(({ event }) => event);
}

test('publishing needs title, slug and content, all named at once', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const answer = await lifecycle(id, 'publish');
  expect([answer.status, fieldsOf(answer)]).toEqual([422, ['content', 'slug', 'title']]);
});

test('a lifecycle call answers what a read then returns, with the same ETag', async () => {
  const { secretKey: key } = await buildTenant(api.db);
  const { id } = await buildArticle(api, key, { title: 'A draft', content: 'Text.' });
  const calls: [string, object?][] = [
    ['schedule', { scheduled_publish_at: fromNow(hour) }],
    ['schedule', { scheduled_publish_at: fromNow(2 * hour) }],
    ['cancel-schedule'],
    ['publish', { published_at: '2020-01-01T00:00:00Z' }],
    ['unpublish'],
    ['schedule', { scheduled_publish_at: fromNow(hour) }],
    ['publish'],
  ];
  for (const [name, body] of calls) {
    const answer = await api.request('POST', `/articles/${id}/${name}`, { key, body });
    expect(answer.status).toBe(200);
    const read = await api.request('GET', `/articles/${id}`, { key });
    expect(read.data).toMatchObject(answer.data);
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
  }
});

test('published_at is the time of the first publication, and survives unpublishing and publishing again', async () => {
  const { id } = await draft();
  const before = Date.now();
  const first = await lifecycle(id, 'publish');
  const published = Date.parse(first.data.published_at);
  expect([published >= before, published <= Date.now()]).toEqual([true, true]);
  expect((await lifecycle(id, 'unpublish')).data).toMatchObject({
    status: 'draft',
    published_at: first.data.published_at,
  });
  const again = await lifecycle(id, 'publish', { published_at: '2001-01-01T00:00:00Z' });
  expect(again.data.published_at).toBe(first.data.published_at);
  expect(await events(id)).toEqual(['article.published', 'article.unpublished', 'article.published']);
});

test('times in the past are honoured at the first publication', async () => {
  const { id } = await draft();
  const times = { published_at: '2020-01-01T00:00:00+02:00', content_updated_at: '2020-02-01T00:00:00Z' };
  expect((await lifecycle(id, 'publish', times)).data).toMatchObject({
    published_at: '2019-12-31T22:00:00.000Z',
    content_updated_at: '2020-02-01T00:00:00.000Z',
  });
});

test.each([
  ['a published_at in the future', { published_at: fromNow(hour) }, ['published_at']],
  [
    'a content_updated_at in the future',
    { published_at: '2020-01-01T00:00:00Z', content_updated_at: fromNow(hour) },
    ['content_updated_at'],
  ],
  ['content_updated_at alone', { content_updated_at: '2020-01-01T00:00:00Z' }, ['content_updated_at']],
  [
    'content_updated_at before published_at',
    { published_at: '2020-02-01T00:00:00Z', content_updated_at: '2020-01-01T00:00:00Z' },
    ['content_updated_at'],
  ],
  ['a time without an offset', { published_at: '2020-01-01T00:00:00' }, ['published_at']],
  ['an unknown member', { status: 'published' }, ['status']],
])('%s is refused at the first publication', async (_name, body, fields) => {
  const answer = await lifecycle((await draft()).id, 'publish', body);
  expect([answer.status, fieldsOf(answer)]).toEqual([422, fields]);
});

test('publishing a published article is a no-op: no event, no version', async () => {
  const { id } = await buildPublished(api, tenant.secretKey);
  const before = (await call('GET', `/articles/${id}`)).headers.get('etag');
  expect((await lifecycle(id, 'publish', { published_at: '2001-01-01T00:00:00Z' })).headers.get('etag')).toBe(
    before,
  );
  expect(await events(id)).toEqual(['article.published']);
});

test.each(['generated', 'needs_improvement', 'needs_images', 'queued'])(
  'an article that is %s can be published',
  async (status) => {
    expect((await lifecycle(await inStatus(status), 'publish')).data.status).toBe('published');
  },
);

const unfinished = 'the pipeline has not finished with it.';
const requeue = 'Requeue it with POST /pipeline/articles/{id}/requeue, and have a run take it on.';

test.each([
  ['discovered', unfinished],
  ['scored', unfinished],
  ['skipped', `the pipeline gave it up, as its topic scored too low. ${requeue}`],
  ['scraped', unfinished],
  ['rejected', `it was rejected. ${requeue}`],
  ['failed', `the pipeline failed on it. ${requeue}`],
])(
  'an article that is %s can be neither published nor scheduled; the message says why, and its advice works',
  async (status, why) => {
    const id = await inStatus(status);
    const answers = [
      await lifecycle(id, 'publish'),
      await lifecycle(id, 'schedule', { scheduled_publish_at: fromNow(hour) }),
      await lifecycle(id, 'unpublish'),
      await lifecycle(id, 'cancel-schedule'),
    ];
    expect(answers.map(({ json }) => json.error.code)).toEqual([
      'CONFLICT',
      'CONFLICT',
      'CONFLICT',
      'CONFLICT',
    ]);
    const [publishing, scheduling] = answers.map(({ json }) => json.error.message);
    expect(publishing).toBe(`An article that is ${status} cannot be published: ${why}`);
    expect(scheduling).toBe(`An article that is ${status} cannot be scheduled: ${why}`);
    const requeued = await call('POST', `/pipeline/articles/${id}/requeue`);
    expect(requeued.status).toBe(why === unfinished ? 409 : 202);
  },
);

test('a schedule is created, changed and cancelled', async () => {
  const { id } = await draft();
  const [first, second] = [fromNow(hour), fromNow(2 * hour)];
  expect((await lifecycle(id, 'schedule', { scheduled_publish_at: first })).data).toMatchObject({
    status: 'scheduled',
    scheduled_publish_at: first,
  });
  expect((await lifecycle(id, 'schedule', { scheduled_publish_at: second })).data.scheduled_publish_at).toBe(
    second,
  );
  expect((await lifecycle(id, 'unpublish')).status).toBe(409);
  expect((await lifecycle(id, 'cancel-schedule')).data).toMatchObject({
    status: 'draft',
    scheduled_publish_at: null,
  });
  expect((await lifecycle(id, 'cancel-schedule')).status).toBe(200);
});

test.each([
  ['wall time is of the Site', '2094-06-01T09:00:00', '2094-06-01T07:00:00.000Z'],
  ['an offset is respected', '2094-06-01T09:00:00-05:00', '2094-06-01T14:00:00.000Z'],
  ['a wall time that occurs twice is the first', '2094-10-31T02:30:00', '2094-10-31T00:30:00.000Z'],
  ['a time centuries ahead', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('%s', async (_name, sent, instant) => {
  const answer = await lifecycle((await draft()).id, 'schedule', { scheduled_publish_at: sent });
  expect(answer.data.scheduled_publish_at).toBe(instant);
});

test.each([
  '2094-03-28T02:30:00',
  '2020-01-01T00:00:00Z',
  'tomorrow',
  '2094-02-30T00:00:00Z',
  '2094-06-01',
  '2094-06-01T23:59:60',
])('the time %s cannot be scheduled', async (sent) => {
  const answer = await lifecycle((await draft()).id, 'schedule', { scheduled_publish_at: sent });
  expect([answer.status, fieldsOf(answer)]).toEqual([422, ['scheduled_publish_at']]);
});

test('scheduling leaves one message for the relay, publishing early another', async () => {
  const { id } = await draft();
  await lifecycle(id, 'schedule', { scheduled_publish_at: fromNow(hour) });
  expect((await lifecycle(id, 'publish')).data).toMatchObject({
    status: 'published',
    scheduled_publish_at: null,
  });
  const rows = await api.db.any(sql.type(z.object({ signal: z.string() }))`
    select payload ->> 'signal' as signal from outbox where workflow_id = ${`scheduled-publish/${id}`} order by id`);
  expect(rows.map(({ signal }) => signal)).toEqual(['reschedule', 'cancel']);
});

test('neither a public nor a scheduled article can lose its title, slug or content', async () => {
  const { id } = await buildPublished(api, tenant.secretKey);
  const refused = await call('PATCH', `/articles/${id}`, { title: null, slug: null, content: ' ' });
  expect([refused.status, fieldsOf(refused)]).toEqual([422, ['content', 'slug', 'title']]);
  const scheduled = await draft();
  await lifecycle(scheduled.id, 'schedule', { scheduled_publish_at: fromNow(hour) });
  expect((await call('PATCH', `/articles/${scheduled.id}`, { content: null })).status).toBe(422);
});

test('an edit of a published article is an event, and sets content_updated_at if the content changed', async () => {
  const { id } = await buildPublished(api, tenant.secretKey);
  const excerpt = await call('PATCH', `/articles/${id}`, { excerpt: 'Short.' });
  expect(excerpt.data.content_updated_at).toBeNull();
  const content = await call('PATCH', `/articles/${id}`, {
    faqs: [{ question: 'Why?', answer: 'Because.' }],
  });
  expect(content.data.content_updated_at).toBe(content.data.updated_at);
  await call('PATCH', `/articles/${id}`, { excerpt: 'Short.' });
  expect(await events(id)).toEqual(['article.published', 'article.updated', 'article.updated']);
});

test('an event contains the article as a secret key reads it, without the Site', async () => {
  const { id } = await buildPublished(api, tenant.secretKey);
  const { data } = await call('GET', `/articles/${id}`);
  const { rows } = await api.db.pool.query(
    "select body from events where body::jsonb -> 'data' ->> 'id' = $1",
    [id],
  );
  const body = JSON.parse(rows[0].body as string) as { data: object };
  expect(body.data).toEqual(data);
  expect(rows[0].body).not.toContain(tenant.siteId);
});

test('deleting is final, with an event that only contains the id', async () => {
  const { id } = await buildPublished(api, tenant.secretKey);
  expect((await call('DELETE', `/articles/${id}`, undefined, { 'if-match': '"99"' })).status).toBe(412);
  const deleted = await call('DELETE', `/articles/${id}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await call('DELETE', `/articles/${id}`)).status).toBe(404);
  const { rows } = await api.db.pool.query(
    "select body from events where event = 'article.deleted' and body::jsonb -> 'data' ->> 'id' = $1",
    [id],
  );
  expect((JSON.parse(rows[0].body as string) as { data: object }).data).toEqual({ id });
});

test('a publishable key only sees published articles', async () => {
  const published = await buildPublished(api, tenant.secretKey);
  const hidden = await draft();
  const read = (id: string): Promise<Answer> =>
    api.request('GET', `/articles/${id}`, { key: tenant.publishableKey });
  expect((await read(published.id)).status).toBe(200);
  expect((await read(hidden.id)).json.error.code).toBe('NOT_FOUND');
});

test('an article of another Site is answered like a missing one', async () => {
  const other = await buildTenant(api.db);
  const { id } = await buildPublished(api, other.secretKey);
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/publish'],
    ['POST', '/unpublish'],
  ] as const) {
    const answer = await call(method, `/articles/${id}${path}`, method === 'PATCH' ? {} : undefined);
    expect([answer.status, answer.json.error.code]).toEqual([404, 'NOT_FOUND']);
  }
});
