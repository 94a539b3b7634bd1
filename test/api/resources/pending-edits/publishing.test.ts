import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body });
const published = (body: object = {}): Promise<any> => buildPublished(api, tenant.secretKey, body);
const edit = (id: string, body: object): Promise<Answer> => call('PATCH', `/articles/${id}/pending`, body);
const pending = (id: string): Promise<Answer> => call('GET', `/articles/${id}/pending`);
const publish = (id: string, body?: object): Promise<Answer> =>
  call('POST', `/articles/${id}/pending/publish`, body);
const update = (id: string, body: object): Promise<Answer> => call('PATCH', `/articles/${id}`, body);
const schedule = (id: string, time: string): Promise<Answer> =>
  call('POST', `/articles/${id}/pending/schedule`, { scheduled_at: time });
const hour = 3_600_000;
const fromNow = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

const rowsOf = async (text: string, id: string): Promise<any[]> => (await api.db.pool.query(text, [id])).rows;

test('publishing applies it as one update: one version, event and audit row, and content_updated_at', async () => {
  const { id } = await published({ title: 'Live' });
  const { id: category } = await buildTerm(api, tenant.secretKey, 'categories');
  await edit(id, { title: 'Edited', slug: 'edited', category_id: category });
  await edit(id, { content: 'New text.' });
  const before = await call('GET', `/articles/${id}`);
  const answer = await publish(id);
  expect([answer.status, before.headers.get('etag'), answer.headers.get('etag')]).toEqual([
    200,
    'W/"2"',
    'W/"3"',
  ]);
  expect(answer.data).toMatchObject({
    title: 'Edited',
    slug: 'edited',
    content: 'New text.',
    category_id: category,
    status: 'published',
    content_updated_at: answer.data.updated_at,
  });
  expect((await call('GET', `/articles/${id}`)).data).toEqual(answer.data);
  expect((await pending(id)).status).toBe(404);
  expect((await publish(id)).status).toBe(404);
  const events = await rowsOf(
    `select event, body from events where body::jsonb #>> '{data,id}' = $1 order by created_at, id`,
    id,
  );
  expect(events.map(({ event }) => event)).toEqual(['article.published', 'article.updated']);
  expect(JSON.parse(events[1].body).data).toEqual(answer.data);
  const audit = await rowsOf(`select action from audit_log where target_id = $1 order by id`, id);
  expect(audit.slice(-3).map(({ action }) => action)).toEqual([
    'pending_edit.update',
    'pending_edit.update',
    'article.update',
  ]);
  const term = await call('GET', `/categories/${category}`);
  expect(term.data).toMatchObject({ article_count: 1 });
});

test('publishing an edit that changes nothing keeps the version, without an event, and ends the edit', async () => {
  const { id } = await published({ title: 'Live' });
  await edit(id, { title: 'Live' });
  const answer = await publish(id);
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, 'W/"2"']);
  expect((await pending(id)).status).toBe(404);
  expect(await rowsOf(`select from events where body::jsonb #>> '{data,id}' = $1`, id)).toHaveLength(1);
});

describe('a conflict', () => {
  test('is a field that both have changed, to different values; the answer names all of them', async () => {
    const { id } = await published({ title: 'A', excerpt: 'A', seo_title: 'A', seo_description: 'A' });
    await edit(id, { title: 'E', excerpt: 'E', seo_title: 'Same', content: 'E' });
    await update(id, { title: 'L', excerpt: null, seo_title: 'Same', seo_description: 'L' });
    const answer = await publish(id);
    expect([answer.status, answer.json.error.code]).toEqual([409, 'CONFLICT']);
    expect(Object.keys(answer.json.error.fields).toSorted()).toEqual(['excerpt', 'title']);
    expect((await call('GET', `/articles/${id}`)).data).toMatchObject({ title: 'L', excerpt: null });
    expect((await pending(id)).data.article).toMatchObject({ title: 'E', seo_description: 'L' });
  });

  test('does not exist with what has changed back, or in a field that the edit does not change', async () => {
    const { id } = await published({ title: 'A', excerpt: 'A' });
    await edit(id, { title: 'E' });
    await update(id, { title: 'L', excerpt: 'L' });
    await update(id, { title: 'A' });
    expect((await publish(id)).data).toMatchObject({ title: 'E', excerpt: 'L' });
  });

  test('is found in a field that the edit takes up after it changed in the article', async () => {
    const { id } = await published({ title: 'A', excerpt: 'A' });
    await edit(id, { title: 'E' });
    await update(id, { excerpt: 'L' });
    await edit(id, { excerpt: 'E' });
    const answer = await publish(id);
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([409, ['excerpt']]);
  });

  test('compares blocks, lists and tags by their content', async () => {
    const [one, two] = [
      await buildTerm(api, tenant.secretKey, 'tags'),
      await buildTerm(api, tenant.secretKey, 'tags'),
    ];
    const faqs = [{ question: 'Q', answer: 'A' }];
    const { id } = await published({ faqs, tag_ids: [one.id] });
    await edit(id, { faqs: [{ question: 'Q', answer: 'E' }], tag_ids: [one.id, two.id] });
    await update(id, { excerpt: 'L' });
    await update(id, { faqs: [{ answer: 'E', question: 'Q' }], tag_ids: [two.id, one.id] });
    expect((await publish(id)).status).toBe(200);
  });

  test('is overwritten with force, and only with it', async () => {
    const { id } = await published({ title: 'A' });
    await edit(id, { title: 'E' });
    await update(id, { title: 'L' });
    expect((await publish(id, {})).status).toBe(409);
    expect((await publish(id, { force: false })).status).toBe(409);
    expect((await publish(id, { force: true })).data.title).toBe('E');
  });

  test('is resolved by an edit to the live value', async () => {
    const { id } = await published({ title: 'A' });
    await edit(id, { title: 'E', excerpt: 'E' });
    await update(id, { title: 'L' });
    await edit(id, { title: 'L' });
    expect((await publish(id)).data).toMatchObject({ title: 'L', excerpt: 'E' });
  });
});

test.each([{ force: 'yes' }, { force: null }, { forced: true }])('the body %j is 422', async (body) => {
  const { id } = await published();
  await edit(id, { title: 'E' });
  expect((await publish(id, body)).status).toBe(422);
});

test('publishing checks again: a slug taken since is SLUG_CONFLICT, a reference deleted since 422, also with force', async () => {
  const { id } = await published();
  const { id: category } = await buildTerm(api, tenant.secretKey, 'categories');
  await edit(id, { slug: 'soon-taken', category_id: category });
  await buildArticle(api, tenant.secretKey, { slug: 'soon-taken' });
  const taken = await publish(id, { force: true });
  expect([taken.status, taken.json.error.code]).toEqual([409, 'SLUG_CONFLICT']);
  await call('DELETE', `/categories/${category}`);
  const gone = await publish(id, { force: true });
  expect([gone.status, Object.keys(gone.json.error.fields)]).toEqual([422, ['category_id']]);
  expect((await pending(id)).status).toBe(200);
});

describe('a schedule', () => {
  test('is shown, moved and cancelled, each with a new ETag; a further edit keeps it', async () => {
    const { id } = await published();
    const tags = [(await edit(id, { title: 'One' })).headers.get('etag')];
    const [first, second] = [fromNow(hour), fromNow(2 * hour)];
    const scheduled = await schedule(id, first);
    expect([scheduled.status, scheduled.data.scheduled_at]).toEqual([200, first]);
    const read = await pending(id);
    expect([read.data, read.headers.get('etag')]).toEqual([scheduled.data, scheduled.headers.get('etag')]);
    tags.push(scheduled.headers.get('etag'), (await schedule(id, second)).headers.get('etag'));
    const edited = await edit(id, { title: 'Two' });
    expect(edited.data).toMatchObject({ scheduled_at: second, article: { title: 'Two' } });
    const cancelled = await call('POST', `/articles/${id}/pending/cancel-schedule`);
    expect(cancelled.data).toMatchObject({ scheduled_at: null, article: { title: 'Two' } });
    tags.push(edited.headers.get('etag'), cancelled.headers.get('etag'));
    expect(new Set(tags).size).toBe(5);
    const again = await call('POST', `/articles/${id}/pending/cancel-schedule`);
    expect([again.status, again.headers.get('etag')]).toEqual([200, tags.at(-1)]);
    const messages = await rowsOf(
      `select payload ->> 'signal' as signal from outbox where workflow_id = 'pending-edit/' || $1::text order by id`,
      id,
    );
    expect(messages.map(({ signal }) => signal)).toEqual(['reschedule', 'reschedule', 'cancel']);
  });

  test.each([
    ['wall time is of the Site', '2094-06-01T09:00:00', '2094-06-01T07:00:00.000Z'],
    ['an offset is respected', '2094-06-01T09:00:00-05:00', '2094-06-01T14:00:00.000Z'],
    ['a wall time that occurs twice is the first', '2094-10-31T02:30:00', '2094-10-31T00:30:00.000Z'],
  ])('%s', async (_name, sent, instant) => {
    const { id } = await published();
    await edit(id, { title: 'E' });
    expect((await schedule(id, sent)).data.scheduled_at).toBe(instant);
  });

  test.each([
    '2094-03-28T02:30:00',
    '2020-01-01T00:00:00Z',
    'tomorrow',
    '2094-02-30T00:00:00Z',
    '2094-06-01',
  ])('cannot be %s', async (sent) => {
    const { id } = await published();
    await edit(id, { title: 'E' });
    const answer = await schedule(id, sent);
    expect([answer.status, Object.keys(answer.json.error.fields)]).toEqual([422, ['scheduled_at']]);
  });

  test('ends when the edit is published or deleted', async () => {
    const ids: string[] = [];
    for (const [method, path] of [
      ['POST', '/pending/publish'],
      ['DELETE', '/pending'],
    ] as const) {
      const { id } = await published();
      ids.push(id);
      await edit(id, { title: 'E' });
      await schedule(id, fromNow(hour));
      expect((await call(method, `/articles/${id}${path}`)).status).toBeLessThan(300);
    }
    for (const id of ids) {
      const messages = await rowsOf(
        `select payload ->> 'signal' as signal from outbox where workflow_id = 'pending-edit/' || $1::text order by id`,
        id,
      );
      expect(messages.map(({ signal }) => signal)).toEqual(['reschedule', 'cancel']);
    }
  });
});
