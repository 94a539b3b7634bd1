import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const create = (body?: unknown): Promise<Answer> =>
  api.request('POST', '/articles', { key: tenant.secretKey, body, idempotencyKey: true });
const patch = (id: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  api.request('PATCH', `/articles/${id}`, { key: tenant.secretKey, body, headers });
const fieldsOf = (answer: Answer): string[] => Object.keys(answer.json.error.fields).toSorted();

const everything = {
  title: 'Everything',
  content: '# Text',
  excerpt: 'Short.',
  featured_image_url: 'https://example.com/a.png',
  seo_title: 'SEO',
  seo_description: 'About.',
  seo_keywords: ['one', 'two'],
  faqs: [{ question: 'Why?', answer: 'Because.' }],
  key_takeaways: ['Take this'],
  howto_steps: [{ name: 'First', text: 'Do it', image_url: null }],
  comparison: { title: null, columns: ['a', 'b'], rows: [{ label: 'row', values: ['1', '2'] }] },
  external_id: 'legacy-1',
};

test('every field is stored and returned as it was sent', async () => {
  const created = await create(everything);
  expect(created.status).toBe(201);
  const read = await api.request('GET', `/articles/${created.data.id}`, { key: tenant.secretKey });
  expect(read.data).toEqual(created.data);
  expect(read.data).toMatchObject({ ...everything, status: 'draft', slug: 'everything' });
});

test('references are stored, returned and counted, whether or not the slug was free', async () => {
  const key = tenant.secretKey;
  const [category, author, ...tags] = await Promise.all([
    buildTerm(api, key, 'categories'),
    buildTerm(api, key, 'authors'),
    buildTerm(api, key, 'tags'),
    buildTerm(api, key, 'tags'),
  ]);
  const tagIds = tags.map(({ id }) => id).toSorted();
  const references = { category_id: category.id, author_id: author.id };
  for (const slug of ['referring', 'referring-2']) {
    const { data } = await create({
      title: 'Referring',
      ...references,
      tag_ids: [...tagIds.toReversed(), tagIds[0]],
    });
    expect(data).toMatchObject({ slug, ...references, tag_ids: tagIds });
    expect((await api.request('GET', `/articles/${data.id}`, { key })).data).toEqual(data);
  }
  const places = [
    `/categories/${category.id}`,
    `/authors/${author.id}`,
    ...tagIds.map((id) => `/tags/${id}`),
  ];
  for (const path of places) expect((await api.request('GET', path, { key })).data.article_count).toBe(2);
});

test('no body, null and an empty object create an untitled draft without a slug', async () => {
  for (const body of [undefined, 'null', {}]) {
    const answer = await create(body);
    expect([answer.status, answer.data.title, answer.data.slug, answer.data.status]).toEqual([
      201,
      null,
      null,
      'draft',
    ]);
    expect(answer.headers.get('location')).toBe(`${api.origin}/v1/articles/${answer.data.id}`);
    expect(answer.headers.get('etag')).toBe('W/"1"');
  }
});

test.each([
  ['Über Größe', 'ueber-groesse'],
  ['  Hello,  World!  ', 'hello-world'],
  ['iPhone & fooBar', 'iphone-and-foobar'],
  ['???', null],
  ['word '.repeat(30), Array.from({ length: 16 }, () => 'word').join('-')],
  ['x'.repeat(200), 'x'.repeat(80)],
])('the title %j derives the slug %j', async (title, slug) => {
  expect((await create({ title })).data.slug).toBe(slug);
});

test('a taken slug gets the next free number if it is derived, and is 409 if it was sent', async () => {
  expect((await create({ title: 'Same' })).data.slug).toBe('same');
  await create({ slug: 'same-2' });
  expect((await create({ title: 'Same' })).data.slug).toBe('same-3');
  expect((await create({ slug: 'same' })).json.error.code).toBe('SLUG_CONFLICT');
  const other = await buildArticle(api, tenant.secretKey);
  expect((await patch(other.id, { slug: 'same' })).json.error.code).toBe('SLUG_CONFLICT');
});

test('slug null means none, and PATCH never derives', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'A title', slug: null });
  expect((await patch(id, { title: 'Another' })).data.slug).toBeNull();
});

test.each([
  ['title', 'x'.repeat(301)],
  ['title', '😀'.repeat(301)],
  ['slug', 'x'.repeat(201)],
  ['slug', 'Not A Slug'],
  ['slug', 'a--b'],
  ['slug', ''],
  ['excerpt', 'x'.repeat(2_001)],
  ['seo_title', 'x'.repeat(301)],
  ['seo_description', 'x'.repeat(1_001)],
  ['content', 'x'.repeat(900_001)],
  ['external_id', 'x'.repeat(256)],
  ['featured_image_url', 'javascript:alert(1)'],
  ['featured_image_url', 'no url'],
  ['featured_image_url', 'https:/example.com/a.png'],
  ['featured_image_url', 'https://example.com/\u0007.png'],
  ['howto_steps.0.image_url', [{ name: 'a', text: 'b', image_url: 'https://example.com/a\u001b.png' }]],
  ['seo_keywords', Array.from({ length: 101 }, () => 'k')],
  ['key_takeaways.0', ['x'.repeat(5_001)]],
  ['tag_ids.0', ['not-a-uuid']],
  ['tag_ids', null],
  ['category_id', 'not-a-uuid'],
  ['status', 'draft'],
  ['id', '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11'],
  ['published_at', '2020-01-01T00:00:00Z'],
  ['faqs.0.answer', [{ question: 'Why?' }]],
  ['faqs.0.extra', [{ question: 'a', answer: 'b', extra: 1 }]],
  ['comparison.rows.0.values', { columns: ['a', 'b'], rows: [{ label: 'x', values: ['1'] }] }],
])('%s is refused by name', async (path, value) => {
  const answer = await create({ [path.split('.')[0] as string]: value });
  expect([answer.status, fieldsOf(answer)]).toEqual([422, [path]]);
});

test('lengths count code points, so that 300 emoji are a title', async () => {
  expect((await create({ title: '😀'.repeat(300) })).status).toBe(201);
});

test('all mistakes are named at once', async () => {
  const answer = await create({ title: 1, slug: 'Bad Slug', excerpt: 'a\0b', unknown: true });
  expect(fieldsOf(answer)).toEqual(['excerpt', 'slug', 'title', 'unknown']);
});

test.each([
  [
    {
      columns: ['a'],
      rows: [
        { label: 1, values: ['x'] },
        { label: 'x', values: [] },
      ],
    },
    ['rows.0.label', 'rows.1.values'],
  ],
  [{ title: 5, columns: ['a'], rows: [{ label: 'x', values: [] }] }, ['rows.0.values', 'title']],
  [{ columns: ['a'], rows: [{ label: 'x', values: [] }], note: '' }, ['note', 'rows.0.values']],
  [
    { columns: [1], rows: [{ label: 'x', values: [2, 'y'] }] },
    ['columns.0', 'rows.0.values', 'rows.0.values.0'],
  ],
  [
    { columns: ['a'], rows: [null, 'x', { label: 'x' }, { label: 'x', values: [] }] },
    ['rows.0', 'rows.1', 'rows.2.values', 'rows.3.values'],
  ],
  [{ columns: 'a', rows: [{ label: 1, values: [] }] }, ['columns', 'rows.0.label']],
])('all mistakes of a comparison are named at once: %j', async (comparison, paths) => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const named = paths.map((path) => `comparison.${path}`);
  expect(fieldsOf(await create({ comparison, title: 1 }))).toEqual([...named, 'title']);
  expect(fieldsOf(await patch(id, { comparison }))).toEqual(named);
});

test('references that do not exist in the Site are refused, foreign ones like unknown ones, before a taken slug', async () => {
  const other = await buildTenant(api.db);
  const category = await buildTerm(api, other.secretKey, 'categories');
  const foreignTag = await buildTerm(api, other.secretKey, 'tags');
  const tag = await buildTerm(api, tenant.secretKey, 'tags');
  await create({ slug: 'taken' });
  const unknown = '0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11';
  const answer = await create({
    slug: 'taken',
    category_id: category.id,
    author_id: unknown,
    format_id: unknown,
    tag_ids: [tag.id, unknown, foreignTag.id],
  });
  expect([answer.status, fieldsOf(answer)]).toEqual([
    422,
    ['author_id', 'category_id', 'format_id', 'tag_ids.1', 'tag_ids.2'],
  ]);
});

test('an unknown tag is reported by its position, on PATCH and on POST', async () => {
  const tag = await buildTerm(api, tenant.secretKey, 'tags');
  const { id } = await buildArticle(api, tenant.secretKey);
  const [low, high] = ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff'];
  for (const tagIds of [
    [high, tag.id],
    [tag.id, low],
    [tag.id, tag.id, low, high],
    [low, tag.id, low],
  ]) {
    const places = tagIds.flatMap((sent, index) => (sent === tag.id ? [] : `tag_ids.${index}`));
    expect(fieldsOf(await patch(id, { tag_ids: tagIds }))).toEqual(places);
    expect(fieldsOf(await create({ tag_ids: tagIds }))).toEqual(places);
  }
});

test('tags are a set, replaced as a whole, and [] clears', async () => {
  const [one, two] = [
    await buildTerm(api, tenant.secretKey, 'tags'),
    await buildTerm(api, tenant.secretKey, 'tags'),
  ];
  const { id } = await buildArticle(api, tenant.secretKey, { tag_ids: [one.id, one.id.toUpperCase()] });
  expect((await patch(id, { tag_ids: [two.id, one.id] })).data.tag_ids.toSorted()).toEqual(
    [one.id, two.id].toSorted(),
  );
  expect((await patch(id, { tag_ids: [] })).data.tag_ids).toEqual([]);
});

test.each(['draft', 'published'])(
  'a change of a %s article answers what a read then returns',
  async (status) => {
    const key = tenant.secretKey;
    const build = status === 'draft' ? buildArticle : buildPublished;
    const [category, author, tag, { id }] = await Promise.all([
      buildTerm(api, key, 'categories'),
      buildTerm(api, key, 'authors'),
      buildTerm(api, key, 'tags'),
      build(api, key),
    ]);
    const references = { category_id: category.id, author_id: author.id, tag_ids: [tag.id] };
    const changed = await patch(id, { ...everything, ...references, slug: 'chosen' });
    expect(changed.data).toMatchObject({ ...everything, ...references, status, slug: 'chosen' });
    const read = await api.request('GET', `/articles/${id}`, { key });
    expect(read.data).toEqual(changed.data);
    expect(read.headers.get('etag')).toBe(changed.headers.get('etag'));
  },
);

test('only sent members change, null clears them, and a change without effect keeps version and updated_at', async () => {
  const { data } = await create(everything);
  const changed = await patch(data.id, { excerpt: null });
  expect(changed.data).toEqual({ ...data, excerpt: null, updated_at: changed.data.updated_at });
  expect(changed.headers.get('etag')).toBe('W/"2"');
  const same = await patch(data.id, { faqs: everything.faqs, title: everything.title, tag_ids: [] });
  expect([same.headers.get('etag'), same.data.updated_at]).toEqual(['W/"2"', changed.data.updated_at]);
});

test.each([
  ['W/"1"', 200],
  ['"1"', 200],
  ['*', 200],
  ['W/"9", "1"', 200],
  ['W/"2"', 412],
  ['"abc"', 412],
  ['W/"1-1"', 412],
  ['W/"1-marked"', 200],
  ['W/"2-marked"', 412],
  ['1', 400],
])('If-Match %s on version 1 answers %i', async (header, status) => {
  const { id } = await buildArticle(api, tenant.secretKey);
  expect((await patch(id, { title: 'New' }, { 'if-match': header })).status).toBe(status);
});

test('If-None-Match with the current version is 304, without a body', async () => {
  const { id } = await buildArticle(api, tenant.secretKey);
  const read = (header: string): Promise<Answer> =>
    api.request('GET', `/articles/${id}`, { key: tenant.secretKey, headers: { 'if-none-match': header } });
  const same = await read('W/"1"');
  expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', 'W/"1"']);
  expect((await read('W/"2"')).status).toBe(200);
});
