import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;
let id: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  ({ id } = await buildArticle(api, tenant.secretKey, { title: 'Tea', content: 'Hot.[^1] Cold.[^2]' }));
});

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body });
const patch = (sources: unknown): Promise<Answer> => call('PATCH', `/articles/${id}`, { sources });

test('sources are written as a whole list, and numbered by their position', async () => {
  const { data } = await patch([
    { url: 'https://a.example/1', title: 'One', published_at: '2026-01-01T01:00:00+01:00' },
    { url: 'http://b.example/2' },
  ]);
  const sources = [
    {
      n: 1,
      url: 'https://a.example/1',
      title: 'One',
      published_at: '2026-01-01T00:00:00.000Z',
      accessed_at: null,
    },
    { n: 2, url: 'http://b.example/2', title: null, published_at: null, accessed_at: null },
  ];
  expect(data.sources).toEqual(sources);
  const { version } = await versionOf();
  // What was read may be sent back.
  expect((await patch(sources)).data.sources).toEqual(sources);
  expect((await versionOf()).version).toBe(version);
  expect((await patch([sources[1]])).data.sources).toEqual([{ ...sources[1], n: 1 }]);
  const { items } = (await call('GET', `/articles/${id}/revisions`)).data;
  expect(items[0].changed).toEqual(['sources']);
  const former = (await call('GET', `/articles/${id}/revisions/${items[1].number}`)).data;
  expect(former.article.sources).toEqual(sources);
  expect((await patch(null)).data.sources).toBeNull();
});

const versionOf = async () => ({ version: (await call('GET', `/articles/${id}`)).headers.get('etag') });

test('each mistake is named by its place', async () => {
  const wrong = await patch([
    { url: 'https://a.example' },
    { url: 'ftp://a.example', title: 'x'.repeat(301), published_at: '2026-01-01' },
    { title: 'No address' },
    { url: 'https://a.example', more: 1 },
  ]);
  expect(wrong.status).toBe(422);
  expect(Object.keys(wrong.json.error.fields).toSorted()).toEqual([
    'sources.1.published_at',
    'sources.1.title',
    'sources.1.url',
    'sources.2.url',
    'sources.3.more',
  ]);
  const many = await patch(Array.from({ length: 51 }, () => ({ url: 'https://a.example' })));
  expect([many.status, Object.keys(many.json.error.fields)]).toEqual([422, ['sources']]);
});

test('a list has sources only if they are asked for', async () => {
  await patch([{ url: 'https://a.example/1' }]);
  expect((await call('GET', '/articles')).data.items[0]).not.toHaveProperty('sources');
  const asked = await call('GET', '/articles?fields=sources');
  expect(asked.data.items[0]).toMatchObject({ id, sources: [{ n: 1 }] });
});

test('the HTML has the definitions of the citations, the content has not', async () => {
  await patch([{ url: 'https://a.example/1', title: 'One' }]);
  const { data } = await call('GET', `/articles/${id}?fields=content,content_html`);
  expect(data.content).toBe('Hot.[^1] Cold.[^2]');
  expect(data.content_html).toContain('<a href="https://a.example/1">One</a>');
  expect(data.content_html).toContain('Cold.[^2]');
});

test('a pending edit carries sources', async () => {
  await call('POST', `/articles/${id}/publish`);
  const { data } = await call('PATCH', `/articles/${id}/pending`, {
    sources: [{ url: 'https://a.example/1' }],
  });
  expect(data.article.sources).toMatchObject([{ n: 1, url: 'https://a.example/1' }]);
  await call('POST', `/articles/${id}/pending/publish`);
  expect((await call('GET', `/articles/${id}`)).data.sources).toHaveLength(1);
});
