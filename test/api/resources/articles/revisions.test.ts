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
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> => api.request(method, path, { key: tenant.secretKey, body, headers });
const patch = async (id: string, body: object): Promise<Answer> => {
  const answer = await call('PATCH', `/articles/${id}`, body);
  expect(answer.status).toBe(200);
  return answer;
};
const create = (body: object = {}): Promise<any> => buildArticle(api, tenant.secretKey, body);
const list = async (id: string): Promise<any[]> =>
  (await call('GET', `/articles/${id}/revisions`)).data.items;
const read = async (id: string, number: number): Promise<any> =>
  (await call('GET', `/articles/${id}/revisions/${number}`)).data;
const restore = (
  id: string,
  number: number | string,
  headers: Record<string, string> = {},
): Promise<Answer> => call('POST', `/articles/${id}/revisions/${number}/restore`, undefined, headers);
const eventsOf = async (id: string): Promise<string[]> => {
  const { rows } = await api.db.pool.query(
    `select event from events where body::jsonb -> 'data' ->> 'id' = $1 order by created_at, id`,
    [id],
  );
  return rows.map(({ event }) => event as string);
};

const blocks = {
  seo_keywords: ['one', 'two'],
  faqs: [{ question: 'Why?', answer: 'Because.' }],
  key_takeaways: ['Take this'],
  howto_steps: [{ name: 'First', text: 'Do it', image_url: null }],
  comparison: { title: null, columns: ['a', 'b'], rows: [{ label: 'row', values: ['1', '2'] }] },
};
const texts = {
  title: 'Everything',
  slug: 'everything',
  content: '# Text',
  excerpt: '',
  featured_image_url: 'https://example.com/a.png',
  seo_title: 'SEO',
  seo_description: 'About.',
  external_id: 'legacy-1',
};
const empty = Object.fromEntries(
  [...Object.keys({ ...texts, ...blocks }), 'sources', 'category_id', 'author_id', 'format_id'].map(
    (name) => [name, null],
  ),
);

test('creating an article stores revision 1 with every member that is set, by its key', async () => {
  const [category, tag] = await Promise.all([
    buildTerm(api, tenant.secretKey, 'categories'),
    buildTerm(api, tenant.secretKey, 'tags'),
  ]);
  const { id, created_at } = await create({
    ...texts,
    ...blocks,
    category_id: category.id,
    tag_ids: [tag.id],
  });
  const [revision, ...others] = await list(id);
  expect(others).toEqual([]);
  expect(revision).toEqual({
    number: 1,
    created_at,
    actor: { kind: 'key', id: expect.any(String), name: expect.stringMatching(/^Key \d+$/) },
    changed: [
      ...Object.keys(texts).slice(0, 7),
      ...Object.keys(blocks),
      'category_id',
      'external_id',
      'tag_ids',
    ],
    title: 'Everything',
  });
  expect(await read(id, 1)).toEqual({
    ...revision,
    article: { ...empty, ...texts, ...blocks, category_id: category.id, tag_ids: [tag.id] },
  });
});

test('an empty draft has a revision 1 that set nothing, and a derived slug counts as set', async () => {
  const { id } = await create();
  expect(await list(id)).toMatchObject([{ number: 1, changed: [], title: null }]);
  expect((await read(id, 1)).article).toEqual({ ...empty, tag_ids: [] });
  await create({ title: 'Twice' });
  const numbered = await create({ title: 'Twice' });
  expect(await list(numbered.id)).toMatchObject([{ changed: ['title', 'slug'] }]);
  expect((await read(numbered.id, 1)).article.slug).toBe('twice-2');
});

test('a revision has the number of the version that its change made, and lifecycle calls make none', async () => {
  const { id } = await create({ title: 'One', content: 'Text' });
  await call('POST', `/articles/${id}/publish`);
  const changed = await patch(id, { content: 'Other', title: 'One' });
  await call('POST', `/articles/${id}/unpublish`);
  await call('POST', `/articles/${id}/schedule`, { scheduled_publish_at: '2999-01-01T00:00:00Z' });
  await call('POST', `/articles/${id}/cancel-schedule`);
  await patch(id, { title: 'Two' });
  expect(changed.headers.get('etag')).toBe('W/"3"');
  expect((await list(id)).map(({ number, changed: names, title }) => [number, names, title])).toEqual([
    [7, ['title'], 'Two'],
    [3, ['content'], 'One'],
    [1, ['title', 'slug', 'content'], 'One'],
  ]);
  expect((await list(id))[1].created_at).toBe(changed.data.updated_at);
  expect((await read(id, 1)).article.content).toBe('Text');
  for (const number of [2, 4, 8])
    expect((await call('GET', `/articles/${id}/revisions/${number}`)).status).toBe(404);
});

test('a change without effect makes no revision', async () => {
  const { id } = await create({ title: 'Same', faqs: blocks.faqs });
  await patch(id, { title: 'Same', faqs: [{ answer: 'Because.', question: 'Why?' }] });
  expect(await list(id)).toHaveLength(1);
});

test('what taxonomy takes from an article is no revision, and stays in the earlier ones', async () => {
  const [category, author, tag] = await Promise.all(
    (['categories', 'authors', 'tags'] as const).map((kind) => buildTerm(api, tenant.secretKey, kind)),
  );
  const references = { category_id: category.id, author_id: author.id, tag_ids: [tag.id] };
  const { id } = await create({ title: 'Referring', ...references });
  for (const path of [`categories/${category.id}`, `authors/${author.id}`, `tags/${tag.id}`])
    expect((await call('DELETE', `/${path}`)).status).toBe(204);
  await patch(id, { title: 'Later' });
  expect((await list(id)).map(({ number, changed }) => [number, changed])).toEqual([
    [5, ['title']],
    [1, ['title', 'slug', 'category_id', 'author_id', 'tag_ids']],
  ]);
  expect((await read(id, 1)).article).toMatchObject(references);
  expect((await read(id, 5)).article).toMatchObject({ category_id: null, author_id: null, tag_ids: [] });
  const refused = await restore(id, 1);
  expect([refused.status, refused.json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
  expect(Object.keys(refused.json.error.fields)).toEqual(['category_id', 'author_id', 'tag_ids.0']);
  expect(await list(id)).toHaveLength(2);
});

test('a restore brings back every member as a PATCH does: version, revision, audit row, event', async () => {
  const [tag, other] = await Promise.all([1, 2].map(() => buildTerm(api, tenant.secretKey, 'tags')));
  const first = { ...texts, ...blocks, tag_ids: [tag.id] };
  const { id } = await create(first);
  await call('POST', `/articles/${id}/publish`);
  await patch(id, {
    title: 'New',
    slug: 'new',
    content: 'New',
    faqs: null,
    comparison: null,
    tag_ids: [other.id],
  });
  const restored = await restore(id, 1, { 'if-match': 'W/"3"' });
  expect([restored.status, restored.headers.get('etag')]).toEqual([200, 'W/"4"']);
  expect(restored.data).toMatchObject({ ...first, status: 'published' });
  expect((await call('GET', `/articles/${id}`)).data).toEqual(restored.data);
  expect(restored.data.content_updated_at).toBe(restored.data.updated_at);
  const changed = ['title', 'slug', 'content', 'faqs', 'comparison', 'tag_ids'];
  expect(await list(id)).toMatchObject([
    { number: 4, changed, title: 'Everything' },
    { number: 3 },
    { number: 1 },
  ]);
  expect(await eventsOf(id)).toEqual(['article.published', 'article.updated', 'article.updated']);
  const audit = (await call('GET', `/audit-log?target_id=${id}&limit=1`)).data.items[0];
  expect([audit.action, Object.keys(audit.details).toSorted()]).toEqual([
    'article.update',
    [...changed, 'content_updated_at'].toSorted(),
  ]);
  expect((await call('GET', `/tags/${tag.id}`)).data.article_count).toBe(1);
  expect((await call('GET', `/tags/${other.id}`)).data.article_count).toBe(0);
  // It can be undone.
  expect((await restore(id, 3)).data).toMatchObject({ title: 'New', faqs: null, tag_ids: [other.id] });
});

test('a restore of what the article is changes nothing', async () => {
  const { id } = await create({ title: 'Same' });
  const answer = await restore(id, 1);
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, 'W/"1"']);
  expect(await list(id)).toHaveLength(1);
});

test('a restore is refused as a PATCH is: a newer version, a taken slug, what a public article must keep', async () => {
  const { id } = await create({ title: 'Old', slug: 'old' });
  await patch(id, { slug: 'newer', content: 'Text' });
  expect((await restore(id, 1, { 'if-match': 'W/"1"' })).status).toBe(412);
  await call('POST', `/articles/${id}/publish`);
  const empties = await restore(id, 1);
  expect([empties.status, Object.keys(empties.json.error.fields)]).toEqual([422, ['content']]);
  await call('POST', `/articles/${id}/unpublish`);
  await create({ slug: 'old' });
  const taken = await restore(id, 1);
  expect([taken.status, taken.json.error.code]).toEqual([409, 'SLUG_CONFLICT']);
  expect(await list(id)).toHaveLength(2);
});

test('restores take no body, and unknown articles and numbers are 404', async () => {
  const { id } = await create();
  expect((await call('POST', `/articles/${id}/revisions/1/restore`, { title: 'x' })).status).toBe(422);
  const unknown = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';
  for (const number of [
    '0',
    '01',
    '-1',
    '1.5',
    '1e0',
    'x',
    '2',
    '2147483648',
    '99999999999999999999',
    '%00',
  ]) {
    expect((await call('GET', `/articles/${id}/revisions/${number}`)).status).toBe(404);
    expect((await restore(id, number)).status).toBe(404);
  }
  expect((await call('GET', `/articles/${unknown}/revisions`)).status).toBe(404);
  expect((await call('GET', `/articles/${unknown}/revisions/1`)).status).toBe(404);
  expect((await restore(unknown, 1)).status).toBe(404);
});

test('revisions are for secret keys that may read articles, and a restore for those that may write them', async () => {
  const { id } = await create();
  const key = async (scopes: readonly any[]) =>
    (await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes })).secret;
  const [reader, writer] = await Promise.all([key(['articles:read']), key(['articles:write'])]);
  const status = async (method: string, path: string, by: string) =>
    (await api.request(method, `/articles/${id}/revisions${path}`, { key: by })).status;
  for (const path of ['', '/1']) {
    expect(await status('GET', path, reader)).toBe(200);
    expect(await status('GET', path, writer)).toBe(403);
    expect(await status('GET', path, tenant.publishableKey)).toBe(403);
  }
  expect(await status('POST', '/1/restore', writer)).toBe(200);
  expect(await status('POST', '/1/restore', reader)).toBe(403);
  expect(await status('POST', '/1/restore', tenant.publishableKey)).toBe(403);
});

test('a revision has the ETag of its number, and is not sent again', async () => {
  const { id } = await create();
  await patch(id, { title: 'Two' });
  const answer = await call('GET', `/articles/${id}/revisions/2`);
  expect(answer.headers.get('etag')).toBe('W/"2"');
  const again = await call('GET', `/articles/${id}/revisions/2`, undefined, { 'if-none-match': 'W/"2"' });
  expect(again.status).toBe(304);
});

test('pages go on after the last revision, and a cursor of another article is refused', async () => {
  const { id } = await create();
  for (const title of ['Two', 'Three', 'Four', 'Five']) await patch(id, { title });
  const page = async (cursor = '') =>
    (await call('GET', `/articles/${id}/revisions?limit=2${cursor && `&cursor=${cursor}`}`)).data;
  const first = await page();
  await patch(id, { title: 'Six' });
  const second = await page(first.next_cursor);
  const third = await page(second.next_cursor);
  const numbers = [first, second, third].map(({ items }) => items.map(({ number }: any) => number));
  expect([numbers, third.next_cursor]).toEqual([[[5, 4], [3, 2], [1]], null]);
  const other = await create();
  expect((await call('GET', `/articles/${other.id}/revisions?cursor=${first.next_cursor}`)).status).toBe(400);
});

test('the name of the actor is that of the key, also after an erasure has changed it', async () => {
  const { id } = await create();
  await api.db.pool.query(`update api_keys set name = 'erased' where site_id = $1`, [tenant.siteId]);
  expect((await list(id))[0].actor.name).toBe('erased');
});

test('a change and its revision are one statement, without a transaction', async () => {
  const { transaction } = api.db;
  Object.assign(api.db, { transaction: () => Promise.reject(new Error('A transaction')) });
  try {
    const { id } = await create({ title: 'One', content: 'Text' });
    await patch(id, { title: 'Two', content: 'Other' });
    expect((await restore(id, 1)).status).toBe(200);
    expect((await list(id)).map(({ number }) => number)).toEqual([3, 2, 1]);
  } finally {
    Object.assign(api.db, { transaction });
  }
});

test('twenty changes at once make twenty revisions, and each says what its change made', async () => {
  const { id } = await create({ content: 'Start' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => call('PATCH', `/articles/${id}`, { content: `Text ${index}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const { headers, data } of answers) {
    const number = Number(/\d+/.exec(headers.get('etag') ?? '')?.[0]);
    expect((await read(id, number)).article.content).toBe(data.content);
  }
  expect((await call('GET', `/articles/${id}/revisions?limit=100`)).data.items).toHaveLength(21);
});

test('deleting the article deletes its revisions', async () => {
  const { id } = await buildPublished(api, tenant.secretKey);
  await patch(id, { title: 'Two' });
  await call('DELETE', `/articles/${id}`);
  expect((await call('GET', `/articles/${id}/revisions`)).status).toBe(404);
  const { rowCount } = await api.db.pool.query('select from article_revisions where article_id = $1', [id]);
  expect(rowCount).toBe(0);
});
