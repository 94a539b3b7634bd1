import { randomUUID } from 'node:crypto';
import { useApi } from '../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../support/builders.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const get = (path: string) => api.request('GET', path, { key: tenant.secretKey });

const refused: [path: string, named: string][] = [
  ['/articles?colour=red', 'colour'],
  ['/articles?Limit=1', 'Limit'],
  ['/articles?limit[]=1', 'limit[]'],
  ['/articles?=1', ''],
  ['/articles?__proto__=1', '__proto__'],
  ['/articles?constructor=1', 'constructor'],
  ['/articles?toString=1', 'toString'],
  ['/articles?site_id=1', 'site_id'],
  ['/articles?hasOwnProperty', 'hasOwnProperty'],
  ['/articles?limit=1&limit=1', 'limit'],
  ['/articles?slug=a&slug=b', 'slug'],
  ['/articles?%6cimit=1&limit=2', 'limit'],
  ['/articles?fields=id&fields=title', 'fields'],
  ['/articles?limit=0', 'limit'],
  ['/articles?limit=-1', 'limit'],
  ['/articles?limit=1.5', 'limit'],
  ['/articles?limit=1e2', 'limit'],
  ['/articles?limit=', 'limit'],
  ['/articles?limit', 'limit'],
  ['/articles?limit=ten', 'limit'],
  ['/articles?limit=+5', 'limit'],
  ['/articles?limit=%2B5', 'limit'],
  ['/articles?limit=0x10', 'limit'],
  ['/articles?limit=٣', 'limit'],
  ['/articles?limit=1%0A', 'limit'],
  ['/articles?cursor=', 'cursor'],
  ['/articles?cursor=x', 'cursor'],
  ['/articles?cursor=%F0%9F%98%80', 'cursor'],
  ['/articles?fields=', 'fields'],
  ['/articles?fields=*', 'fields'],
  ['/articles?fields=id,colour', 'fields'],
  ['/articles?fields=id,,title', 'fields'],
  ['/articles?fields=__proto__', 'fields'],
  ['/articles?fields=constructor', 'fields'],
  ['/articles?fields=Title', 'fields'],
  ['/articles?status=unheard-of', 'status'],
  ['/articles?status=draft,published', 'status'],
  ['/articles?status=Draft', 'status'],
  ['/articles?status=', 'status'],
  ['/articles?category_id=1', 'category_id'],
  ['/articles?category_id=', 'category_id'],
  ['/articles?author_id=null', 'author_id'],
  ['/articles?tag_id={0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11}', 'tag_id'],
  ['/articles?tag_id=0197a0c45c1e7d309b642f1f0d3c8a11', 'tag_id'],
  ['/articles?updated_since=yesterday', 'updated_since'],
  ['/articles?updated_since=2026-01-01', 'updated_since'],
  ['/articles?updated_since=2026-01-01T00:00:00', 'updated_since'],
  ['/articles?updated_since=2026-02-30T00:00:00Z', 'updated_since'],
  ['/articles?updated_since=2026-01-01T00:00:00+01:00', 'updated_since'],
  ['/articles?order=title', 'order'],
  ['/articles?order=created_at.asc', 'order'],
  ['/articles?order=__proto__', 'order'],
  ['/categories?order=name', 'order'],
  ['/categories?fields=content', 'fields'],
  ['/site?fields=name', 'fields'],
  ['/ping?x', 'x'],
  [`/articles/${randomUUID()}?limit=1`, 'limit'],
  [`/categories/${randomUUID()}?fields=id`, 'fields'],
];

test.each(refused)('%s is 400 and names %j', async (path, named) => {
  const answer = await get(path);
  expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(answer.json.error.message).toContain(`${named}:`);
  expect(answer.json.error.fields).toBeUndefined();
});

test.each([
  '/articles?slug=%',
  '/articles?slug=%2',
  '/articles?slug=%ZZ',
  '/articles?%=1',
  '/articles?slug=%FF',
  '/articles?slug=%C0%80',
  '/articles?slug=%ED%A0%80',
  '/articles?slug=%00',
  '/articles?slug=a%00b',
  '/articles?a%00b=1',
  '/articles?external_id=%00',
])('%s is 400: not percent-encoded text that can be stored', async (path) => {
  const answer = await get(path);
  expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
});

test('writes refuse unknown query parameters too, and do nothing', async () => {
  const article = await buildArticle(api, tenant.secretKey);
  for (const [method, path] of [
    ['DELETE', `/articles/${article.id}?force=true`],
    ['PATCH', `/articles/${article.id}?title=One`],
    ['POST', '/articles?status=published'],
    ['POST', `/articles/${article.id}/publish?now`],
  ] as const) {
    const options = {
      key: tenant.secretKey,
      idempotencyKey: true as const,
      ...(method === 'PATCH' ? { body: {} } : {}),
    };
    expect((await api.request(method, path, options)).status).toBe(400);
  }
  expect((await get(`/articles/${article.id}`)).data).toEqual(article);
});

test('all errors of known parameters are reported at once', async () => {
  const { message } = (await get('/articles?limit=0&order=title&category_id=x')).json.error;
  for (const name of ['limit:', 'order:', 'category_id:']) expect(message).toContain(name);
});

test('a long unknown name is shortened in the error', async () => {
  const answer = await get(`/articles?${'x'.repeat(10_000)}=1`);
  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(2_000);
});

describe('accepted', () => {
  test('no parameters, and separators with nothing between', async () => {
    for (const query of ['', '?', '?&', '?&&limit=1&'])
      expect((await get(`/articles${query}`)).status).toBe(200);
  });

  test('limit over 100 is clamped, however large', async () => {
    for (const limit of ['100', '101', '007', '9'.repeat(400)])
      expect((await get(`/articles?limit=${limit}`)).status).toBe(200);
  });

  test('status may be repeated, also with the same value', async () => {
    const site = await buildTenant(api.db);
    const draft = await buildArticle(api, site.secretKey);
    const published = await buildPublished(api, site.secretKey);
    const list = async (query: string) =>
      (await api.request('GET', `/articles${query}`, { key: site.secretKey })).data.items.map(
        (item: { id: string }) => item.id,
      );
    expect(await list('?status=draft&status=draft')).toEqual([draft.id]);
    expect((await list('?status=draft&status=published')).sort()).toEqual([draft.id, published.id].sort());
  });

  test('ids in upper case are the same ids', async () => {
    const category = await buildTerm(api, tenant.secretKey, 'categories');
    const article = await buildArticle(api, tenant.secretKey, { category_id: category.id.toUpperCase() });
    expect(article.category_id).toBe(category.id);
    const { data } = await get(`/articles?category_id=${category.id.toUpperCase()}`);
    expect(data.items.map((item: { id: string }) => item.id)).toEqual([article.id]);
  });

  test('an offset in a time works if its plus is encoded', async () => {
    expect((await get('/articles?updated_since=2026-01-01T00:00:00%2B01:00')).status).toBe(200);
    expect((await get('/articles?updated_since=2026-01-01T00:00:00-01:00')).status).toBe(200);
  });

  test('a plus is a space, percent-encoding is UTF-8', async () => {
    const article = await buildArticle(api, tenant.secretKey, { external_id: 'ä + b' });
    for (const query of ['%C3%A4+%2B+b', '%C3%A4%20%2B%20b']) {
      const { data } = await get(`/articles?external_id=${query}`);
      expect(data.items.map((item: { id: string }) => item.id)).toEqual([article.id]);
    }
  });

  test('id is returned with any fields', async () => {
    const article = await buildArticle(api, tenant.secretKey, { title: 'Fields' });
    expect((await get(`/articles/${article.id}?fields=title`)).data).toEqual({
      id: article.id,
      title: 'Fields',
    });
    expect((await get(`/articles/${article.id}?fields=title,title`)).data).toEqual({
      id: article.id,
      title: 'Fields',
    });
  });

  test('a cursor works with other fields and another limit, but not with another list', async () => {
    await buildArticle(api, tenant.secretKey);
    await buildArticle(api, tenant.secretKey);
    const cursor = encodeURIComponent((await get('/articles?limit=1')).data.next_cursor);
    expect((await get(`/articles?limit=2&fields=id&cursor=${cursor}`)).status).toBe(200);
    for (const path of [
      '/categories?',
      '/tags?',
      '/articles?order=created_at.desc&',
      '/articles?status=draft&',
    ])
      expect((await get(`${path}cursor=${cursor}`)).status).toBe(400);
  });
});
