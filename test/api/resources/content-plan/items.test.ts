import { randomUUID } from 'node:crypto';
import { useApi } from '../../../support/api.ts';
import { buildKey, buildMember, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

const send = (method: string, path: string, body?: object, options: object = {}, key = tenant.secretKey) =>
  api.request(method, `/content-plan${path}`, { key, body, ...options });
const add = async (title: string, body: object = {}) => (await send('POST', '', { title, ...body })).data;
const titles = async (query = '') =>
  (await send('GET', `?limit=100${query}`)).data.items.map(({ title }: { title: string }) => title);

const twenty = (count = 20): string[] =>
  Array.from({ length: count }, (_, index) => `https://example.com/${index}`);

test('an item has every member of the contract, and defaults for those that were not sent', async () => {
  const { status, data, headers } = await send('POST', '', { title: 'How to bake' });
  expect(status).toBe(201);
  expect(data).toEqual({
    id: expect.any(String),
    title: 'How to bake',
    notes: null,
    keywords: [],
    source_url: null,
    source_urls: [],
    format_id: null,
    category_id: null,
    author_id: null,
    target_date: null,
    status: 'idea',
    rank: expect.any(String),
    article_id: null,
    run_id: null,
    created_at: expect.any(String),
    updated_at: data.created_at,
  });
  expect(headers.get('location')).toBe(`${api.origin}/v1/content-plan/${data.id}`);
  expect(headers.get('etag')).toBe('W/"1"');
  const read = await send('GET', `/${data.id}`);
  expect(read.data).toEqual(data);
  expect(read.headers.get('etag')).toBe('W/"1"');
});

test('everything that was sent comes back, and PATCH changes only what it names', async () => {
  const category = await buildTerm(api, tenant.secretKey, 'categories');
  const author = await buildTerm(api, tenant.secretKey, 'authors');
  const body = {
    title: 'Ä title',
    notes: 'n'.repeat(5_000),
    keywords: ['one', 'two'],
    source_url: 'https://example.com/a',
    source_urls: Array.from({ length: 19 }, (_, index) => `https://example.com/${index}`),
    format_id: (await api.request('GET', '/content-types', { key: tenant.secretKey })).data.items[0].id,
    category_id: category.id,
    author_id: author.id.toUpperCase(),
    target_date: '2028-02-29',
    status: 'approved',
  };
  const { data } = await send('POST', '', body);
  expect(data).toMatchObject({ ...body, author_id: author.id });
  const patched = await send('PATCH', `/${data.id}`, { notes: null, keywords: null, target_date: null });
  expect(patched.data).toEqual({
    ...data,
    notes: null,
    keywords: [],
    target_date: null,
    updated_at: patched.data.updated_at,
  });
  expect(patched.headers.get('etag')).toBe('W/"2"');
  expect((await send('PATCH', `/${data.id}`, { keywords: [] })).headers.get('etag')).toBe('W/"2"');
  expect((await send('PATCH', `/${data.id}`, {})).headers.get('etag')).toBe('W/"2"');
});

test.each([
  [{}, { title: expect.any(String) }],
  [{ title: null }, { title: expect.any(String) }],
  [{ title: '' }, { title: 'must not be empty' }],
  [{ title: 'x'.repeat(301) }, { title: 'must have at most 300 characters' }],
  [{ title: 'a', notes: 'x'.repeat(5_001) }, { notes: 'must have at most 5000 characters' }],
  [{ title: 'a', status: 'started' }, { status: expect.any(String) }],
  [{ title: 'a', status: 'done' }, { status: expect.any(String) }],
  [{ title: 'a', target_date: '2027-02-29' }, { target_date: 'must be a date such as 2026-03-12' }],
  [{ title: 'a', target_date: '0000-01-01' }, { target_date: 'must be a date such as 2026-03-12' }],
  [{ title: 'a', target_date: '2026-03-12T00:00:00Z' }, { target_date: expect.any(String) }],
  [{ title: 'a', source_url: 'ftp://example.com' }, { source_url: expect.any(String) }],
  [{ title: 'a', source_urls: ['nowhere'] }, { 'source_urls.0': expect.any(String) }],
  [{ title: 'a', source_urls: twenty(21) }, { source_urls: expect.any(String) }],
  [
    { title: 'a', source_url: 'https://example.com/', source_urls: twenty() },
    { source_urls: expect.any(String) },
  ],
  [{ title: 'a', keywords: Array(101).fill('x') }, { keywords: expect.any(String) }],
  [{ title: 'a', rank: 'V00000' }, { rank: expect.any(String) }],
  [{ title: 'a', article_id: null }, { article_id: expect.any(String) }],
  [{ title: 'a', run_id: null }, { run_id: expect.any(String) }],
  [{ title: 'a', after: null }, { after: expect.any(String) }],
])('%j is 422 and names the field', async (body, fields) => {
  const { status, json } = await send('POST', '', body);
  expect([status, json.error.code]).toEqual([422, 'VALIDATION_FAILED']);
  expect(json.error.fields).toEqual(fields);
});

test('a change that would make it more than twenty pages is 422', async () => {
  const { data } = await send('POST', '', { title: 'a', source_urls: twenty() });
  const { status, json } = await send('PATCH', `/${data.id}`, { source_url: 'https://example.com/' });
  expect([status, Object.keys(json.error.fields)]).toEqual([422, ['source_urls']]);
  const moved = { source_url: 'https://example.com/', source_urls: null };
  expect((await send('PATCH', `/${data.id}`, moved)).data).toMatchObject({ ...moved, source_urls: [] });
});

test('references that do not exist, or belong to another Site, are 422 on their field', async () => {
  const other = await buildTenant(api.db);
  const foreign = await buildTerm(api, other.secretKey, 'categories');
  const body = { category_id: foreign.id, author_id: randomUUID(), format_id: randomUUID() };
  const fields = {
    category_id: 'is not the id of a category of this Site',
    author_id: 'is not the id of an author of this Site',
    format_id: 'is not the id of an article format of this Site',
  };
  expect((await send('POST', '', { title: 'a', ...body })).json.error.fields).toEqual(fields);
  const { id } = await add('a');
  expect((await send('PATCH', `/${id}`, body)).json.error.fields).toEqual(fields);
});

test('a category and an author that are deleted are null in their items, which get a new version', async () => {
  const category = await buildTerm(api, tenant.secretKey, 'categories');
  const author = await buildTerm(api, tenant.secretKey, 'authors');
  const { id } = await add('a', { category_id: category.id, author_id: author.id });
  for (const path of [`/categories/${category.id}`, `/authors/${author.id}`])
    expect((await api.request('DELETE', path, { key: tenant.secretKey })).status).toBe(204);
  const { data, headers } = await send('GET', `/${id}`);
  expect([data.category_id, data.author_id, headers.get('etag')]).toEqual([null, null, 'W/"3"']);
});

test('If-Match of an older version is 412 and writes nothing', async () => {
  const { id } = await add('first');
  await send('PATCH', `/${id}`, { title: 'second' });
  const stale = { headers: { 'If-Match': 'W/"1"' } };
  expect((await send('PATCH', `/${id}`, { title: 'third' }, stale)).status).toBe(412);
  expect((await send('PATCH', `/${id}`, { after: null }, stale)).status).toBe(412);
  expect((await send('DELETE', `/${id}`, undefined, stale)).status).toBe(412);
  expect((await send('GET', `/${id}`)).data.title).toBe('second');
  const current = { headers: { 'If-Match': 'W/"2"' } };
  expect((await send('PATCH', `/${id}`, { title: 'third' }, current)).status).toBe(200);
  expect((await send('DELETE', `/${id}`)).status).toBe(204);
  expect((await send('GET', `/${id}`)).status).toBe(404);
});

test('an item of another Site is 404', async () => {
  const { id } = await add('a');
  const other = (await buildTenant(api.db)).secretKey;
  const calls = [
    send('GET', `/${id}`, undefined, {}, other),
    send('PATCH', `/${id}`, { title: 'b' }, {}, other),
    send('DELETE', `/${id}`, undefined, {}, other),
  ];
  for (const { status, json } of await Promise.all(calls))
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
  const mine = await add('mine');
  const { json } = await api.request('PATCH', `/content-plan/${mine.id}`, {
    key: tenant.secretKey,
    body: {
      after: (await api.request('POST', '/content-plan', { key: other, body: { title: 'x' } })).data.id,
    },
  });
  expect(json.error.fields).toEqual({ after: 'is not the id of a plan item of this Site' });
});

test('people read the plan who may read runs, and change it who may write articles', async () => {
  const as = async (role: 'viewer' | 'author') => {
    const memberId = await buildMember(api.db, tenant.organisationId, role);
    return (await buildKey(api.db, tenant.siteId, memberId)).secret;
  };
  const [viewer, author] = [await as('viewer'), await as('author')];
  expect((await send('GET', '', undefined, {}, viewer)).status).toBe(200);
  expect((await send('POST', '', { title: 'a' }, {}, viewer)).json.error.code).toBe('INSUFFICIENT_SCOPE');
  expect((await send('POST', '', { title: 'a' }, {}, author)).status).toBe(201);
  expect((await send('GET', '', undefined, {}, author)).json.error.code).toBe('INSUFFICIENT_SCOPE');
});

test('an Idempotency-Key makes an item once', async () => {
  const options = { idempotencyKey: 'once' };
  const first = await send('POST', '', { title: 'a' }, options);
  const second = await send('POST', '', { title: 'a' }, options);
  expect(second.data).toEqual(first.data);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(await titles()).toEqual(['a']);
});

test('the plan is full at 10,000 items', async () => {
  await api.db.pool.query(
    `insert into plan_items (id, site_id, title, status, rank, created_at, updated_at)
     select uuidv7(), $1, 'Item ' || n, 'idea', 'V' || lpad(n::text, 5, '0'), now(), now() from generate_series(0, 9998) n`,
    [tenant.siteId],
  );
  const answers = await Promise.all([send('POST', '', { title: 'a' }), send('POST', '', { title: 'b' })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('the list is filtered by statuses, and searched by words of title, notes and keywords', async () => {
  await add('Sourdough for beginners', { notes: 'Ask the Bäckerei', status: 'approved' });
  await add('Rye bread', { keywords: ['sourdough starter'], status: 'rejected' });
  await add('Cake');
  expect(await titles('&status=approved')).toEqual(['Sourdough for beginners']);
  expect(await titles('&status=approved&status=idea')).toEqual(['Sourdough for beginners', 'Cake']);
  expect(await titles('&q=sourd')).toEqual(['Sourdough for beginners', 'Rye bread']);
  expect(await titles('&q=backerei')).toEqual(['Sourdough for beginners']);
  expect(await titles(`&q=${encodeURIComponent('sourdough -rye')}`)).toEqual(['Sourdough for beginners']);
  expect(await titles(`&q=${encodeURIComponent('"sourdough starter" or cake')}`)).toEqual([
    'Rye bread',
    'Cake',
  ]);
  expect(await titles('&q=sourdough&status=rejected')).toEqual(['Rye bread']);
  expect(await titles('&q=-')).toEqual([]);
  for (const query of ['q=%20', `q=${'x'.repeat(201)}`, 'status=new', 'order=title', 'fields=id'])
    expect((await send('GET', `?${query}`)).status).toBe(400);
});

test.each(['rank', 'target_date'])(
  'pages in the order %s are the whole list, each item once',
  async (order) => {
    const days = ['2026-05-01', null, '2026-01-31', '2026-05-01', null, '9999-12-31', '0001-01-01'];
    for (const [index, day] of days.entries()) await add(`Item ${index}`, { target_date: day });
    const wanted = order === 'rank' ? [0, 1, 2, 3, 4, 5, 6] : [6, 2, 0, 3, 5, 1, 4];
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, data } = await send('GET', `?order=${order}&limit=2${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      found.push(...data.items.map(({ title }: { title: string }) => title));
      cursor = data.next_cursor;
    }
    expect(found).toEqual(wanted.map((index) => `Item ${index}`));
  },
);

test('a cursor continues only its own order, filters and Site', async () => {
  for (const title of ['a', 'b', 'c']) await add(title);
  const { next_cursor: cursor } = (await send('GET', '?limit=1')).data;
  expect((await send('GET', `?limit=2&cursor=${cursor}`)).data.items).toHaveLength(2);
  for (const query of ['order=target_date', 'status=idea', 'q=a'])
    expect((await send('GET', `?${query}&cursor=${cursor}`)).status).toBe(400);
  const other = (await buildTenant(api.db)).secretKey;
  expect((await send('GET', `?cursor=${cursor}`, undefined, {}, other)).status).toBe(400);
});
