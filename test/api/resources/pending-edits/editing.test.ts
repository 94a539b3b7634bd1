import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildKey, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => api.request(method, path, { key: tenant.secretKey, body, headers });
const published = (body: object = {}): Promise<any> => buildPublished(api, tenant.secretKey, body);
const edit = (id: string, body: object, headers?: Record<string, string>): Promise<Answer> =>
  call('PATCH', `/articles/${id}/pending`, body, headers);
const pending = (id: string): Promise<Answer> => call('GET', `/articles/${id}/pending`);
const live = async (id: string): Promise<any> => (await call('GET', `/articles/${id}`)).data;
const outcome = ({ status, json }: Answer): unknown[] => [status, json.error?.code];
const fieldsOf = ({ json }: Answer): string[] => Object.keys(json.error.fields).toSorted();

const events = async (id: string): Promise<string[]> => {
  const { rows } = await api.db.pool.query(
    `select event from events where body::jsonb #>> '{data,id}' = $1 order by created_at, id`,
    [id],
  );
  return rows.map(({ event }) => event);
};

test('an edit is shown by its own address, and nothing of it by the article, its lists or its events', async () => {
  const article = await published({ title: 'Live', content: 'Live text.' });
  const before = await call('GET', `/articles/${article.id}`);
  const answer = await edit(article.id, { title: 'Edited', content: 'New text.' });
  expect(answer.status).toBe(200);
  expect(answer.data).toEqual({
    base_version: 2,
    article: { ...article, title: 'Edited', content: 'New text.' },
    updated_at: expect.any(String),
    scheduled_at: null,
  });
  const read = await pending(article.id);
  expect([read.data, read.headers.get('etag')]).toEqual([answer.data, answer.headers.get('etag')]);
  const after = await call('GET', `/articles/${article.id}`);
  expect([after.data, after.headers.get('etag')]).toEqual([before.data, before.headers.get('etag')]);
  expect((await call('GET', '/articles')).data.items[0].title).toBe('Live');
  expect(await events(article.id)).toEqual(['article.published']);
});

test('a further edit keeps what it does not name, and base_version', async () => {
  const { id } = await published({ title: 'Live' });
  await edit(id, { title: 'Edited' });
  await call('PATCH', `/articles/${id}`, { seo_title: 'Live and newer' });
  const { data } = await edit(id, { excerpt: 'Short.' });
  expect(data.base_version).toBe(2);
  expect(data.article).toMatchObject({
    title: 'Edited',
    excerpt: 'Short.',
    seo_title: 'Live and newer',
  });
});

test('without a pending edit everything but its beginning is 404', async () => {
  const { id } = await published();
  const answers = [
    await pending(id),
    await call('DELETE', `/articles/${id}/pending`),
    await call('POST', `/articles/${id}/pending/publish`),
    await call('POST', `/articles/${id}/pending/schedule`, { scheduled_at: '2999-01-01T00:00:00Z' }),
    await call('POST', `/articles/${id}/pending/cancel-schedule`),
    await edit('0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11', { title: 'T' }),
  ];
  expect(answers.map(outcome)).toEqual(answers.map(() => [404, 'NOT_FOUND']));
});

test.each(['draft', 'scheduled', 'generated', 'rejected'])('an article that is %s is 409', async (status) => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'T', content: 'C' });
  const time = status === 'scheduled' ? `now() + interval '1 hour'` : 'null';
  await api.db.pool.query(`update articles set status = $2, scheduled_publish_at = ${time} where id = $1`, [
    id,
    status,
  ]);
  expect(outcome(await edit(id, { title: 'Edited' }))).toEqual([409, 'CONFLICT']);
  expect((await pending(id)).status).toBe(404);
});

describe('an edit is refused as an update of the article would be:', () => {
  test('an unknown or read-only member, and a wrong value, all at once', async () => {
    const { id } = await published();
    const answer = await edit(id, { colour: 'red', status: 'draft', tag_ids: 'none' });
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['colour', 'status', 'tag_ids']]);
  });

  test('what a published article must keep, and references that do not exist', async () => {
    const { id } = await published();
    const nothing = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';
    const other = await buildTenant(api.db);
    const foreign = await buildTerm(api, other.secretKey, 'categories');
    const body = { title: null, slug: null, content: ' ', author_id: nothing, category_id: foreign.id };
    const answer = await edit(id, { ...body, tag_ids: [nothing] });
    expect([answer.status, fieldsOf(answer)]).toEqual([
      422,
      ['author_id', 'category_id', 'content', 'slug', 'tag_ids.0', 'title'],
    ]);
    expect((await pending(id)).status).toBe(404);
  });

  test('a slug that is taken; the article’s own is not', async () => {
    const { id, slug } = await published({ title: 'Mine' });
    await buildArticle(api, tenant.secretKey, { slug: 'taken' });
    expect(outcome(await edit(id, { slug: 'taken' }))).toEqual([409, 'SLUG_CONFLICT']);
    expect((await edit(id, { slug })).status).toBe(200);
  });
});

describe('If-Match', () => {
  test('is compared with the version of the edit, whatever happens to the article', async () => {
    const { id } = await published();
    const first = (await edit(id, { title: 'One' })).headers.get('etag') as string;
    await call('PATCH', `/articles/${id}`, { excerpt: 'Live.' });
    const second = await edit(id, { title: 'Two' }, { 'if-match': first });
    expect(second.status).toBe(200);
    expect(outcome(await edit(id, { title: 'Three' }, { 'if-match': first }))).toEqual([
      412,
      'PRECONDITION_FAILED',
    ]);
    const deleting = (etag: string) =>
      call('DELETE', `/articles/${id}/pending`, undefined, { 'if-match': etag });
    expect((await deleting(first)).status).toBe(412);
    expect((await deleting(second.headers.get('etag') as string)).status).toBe(204);
  });

  test.each(['W/"1"', '"1"', '*'])('%s is 412 if there is no edit yet', async (etag) => {
    const { id } = await published();
    expect(outcome(await edit(id, { title: 'T' }, { 'if-match': etag }))).toEqual([
      412,
      'PRECONDITION_FAILED',
    ]);
    expect((await pending(id)).status).toBe(404);
  });

  test('of an edit that was deleted does not match the next one', async () => {
    const { id } = await published();
    const etag = (await edit(id, { title: 'One' })).headers.get('etag') as string;
    await call('DELETE', `/articles/${id}/pending`);
    await edit(id, { title: 'Two' });
    expect((await edit(id, { title: 'Three' }, { 'if-match': etag })).status).toBe(412);
  });
});

test('the ETag is 304 until the edit or the article changes', async () => {
  const { id } = await published();
  const tag = async (): Promise<string> => {
    const etag = (await pending(id)).headers.get('etag') as string;
    const headers = { 'if-none-match': etag };
    expect((await call('GET', `/articles/${id}/pending`, undefined, headers)).status).toBe(304);
    return etag;
  };
  await edit(id, { title: 'One' });
  const tags = [await tag()];
  await edit(id, { title: 'Two' });
  tags.push(await tag());
  await call('PATCH', `/articles/${id}`, { excerpt: 'Live.' });
  tags.push(await tag());
  expect(new Set(tags).size).toBe(3);
});

test('an edit without an effect keeps the version and updated_at, and leaves no audit row', async () => {
  const { id } = await published();
  const { id: tag } = await buildTerm(api, tenant.secretKey, 'tags');
  const first = await edit(id, { title: 'One', tag_ids: [tag, tag] });
  const again = await edit(id, { tag_ids: [tag], title: 'One' });
  expect([again.data, again.headers.get('etag')]).toEqual([first.data, first.headers.get('etag')]);
  const { rows } = await api.db.pool.query(
    `select action, details from audit_log where target_id = $1 and action like 'pending_edit.%'`,
    [id],
  );
  expect(rows).toEqual([
    {
      action: 'pending_edit.update',
      details: { title: { before: expect.any(String), after: 'One' }, tag_ids: { before: [], after: [tag] } },
    },
  ]);
});

test('a deleted edit leaves the article as it is', async () => {
  const { id } = await published({ title: 'Live' });
  const before = await live(id);
  await edit(id, { title: 'Edited' });
  const deleted = await call('DELETE', `/articles/${id}/pending`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await pending(id)).status).toBe(404);
  expect(await live(id)).toEqual(before);
});

test.each([
  ['unpublishing', 'POST', '/unpublish', 200],
  ['deleting', 'DELETE', '', 204],
])('%s the article discards the edit, and ends its timer', async (_name, method, path, status) => {
  const { id } = await published();
  await edit(id, { title: 'Edited' });
  await call('POST', `/articles/${id}/pending/schedule`, { scheduled_at: '2999-01-01T00:00:00Z' });
  expect((await call(method, `/articles/${id}${path}`)).status).toBe(status);
  const { rows } = await api.db.pool.query('select from pending_edits where article_id = $1', [id]);
  expect(rows).toEqual([]);
  const { rows: messages } = await api.db.pool.query(
    `select payload ->> 'signal' as signal from outbox where workflow_id = $1 order by id`,
    [`pending-edit/${id}`],
  );
  expect(messages.map(({ signal }) => signal)).toEqual(['reschedule', 'cancel']);
  if (method === 'POST') {
    await call('POST', `/articles/${id}/publish`);
    expect((await pending(id)).status).toBe(404);
  }
});

test('an article without a scheduled edit leaves no message for a timer when it is unpublished', async () => {
  const { id } = await published();
  await edit(id, { title: 'Edited' });
  await call('POST', `/articles/${id}/unpublish`);
  const { rows } = await api.db.pool.query('select from outbox where workflow_id = $1', [
    `pending-edit/${id}`,
  ]);
  expect(rows).toEqual([]);
});

test('a publishable key may not read it, and a key without articles:write may only read it', async () => {
  const { id } = await published();
  await edit(id, { title: 'Edited' });
  const path = `/articles/${id}/pending`;
  expect((await api.request('GET', path, { key: tenant.publishableKey })).json.error.code).toBe(
    'INSUFFICIENT_SCOPE',
  );
  const { secret: key } = await buildKey(api.db, tenant.siteId, tenant.memberId, {
    scopes: ['articles:read'],
  });
  expect((await api.request('GET', path, { key })).status).toBe(200);
  expect((await api.request('PATCH', path, { key, body: { title: 'T' } })).status).toBe(403);
});

test('of another Site it is 404', async () => {
  const other = await buildTenant(api.db);
  const { id } = await published();
  await edit(id, { title: 'Edited' });
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { title: 'Theirs' }],
    ['DELETE', '', undefined],
    ['POST', '/publish', undefined],
    ['POST', '/schedule', { scheduled_at: '2999-01-01T00:00:00Z' }],
    ['POST', '/cancel-schedule', undefined],
  ] as const) {
    const answer = await api.request(method, `/articles/${id}/pending${path}`, {
      key: other.secretKey,
      body,
    });
    expect([method, path, ...outcome(answer)]).toEqual([method, path, 404, 'NOT_FOUND']);
  }
  expect((await pending(id)).data.article.title).toBe('Edited');
});
