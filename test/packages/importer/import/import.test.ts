import { readFileSync } from 'node:fs';
import { useApi } from '../../../support/api.ts';
import { buildArticle, buildKey, buildPublished, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { closeProxies, startApiProxy } from './api-proxy.ts';
import { buildFile, endImports, entry, importFile, runImport, startImport } from './importer.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(async () => {
  await endImports();
  await closeProxies();
});

interface Options {
  readonly key?: string;
  readonly baseUrl?: string;
  readonly more?: readonly string[];
}

const command = (path: string, { key, baseUrl, more = [] }: Options = {}): string[] => [
  path,
  '--base-url',
  baseUrl ?? `${api.origin}/v1`,
  '--key',
  key ?? tenant.secretKey,
  ...more,
];

const run = (parts: object, options: Options = {}) =>
  runImport(command(buildFile(importFile(parts)), options));

const article = async (externalId: string): Promise<any> => {
  const all =
    'id,status,title,slug,content,excerpt,published_at,content_updated_at,category_id,updated_at,faqs,comparison,origin';
  const query = `external_id=${externalId}&fields=${all}`;
  return (await api.request('GET', `/articles?${query}`, { key: tenant.secretKey })).data.items[0];
};

const count = async (table: string): Promise<number> =>
  (await api.db.pool.query(`select from ${table} where site_id = $1`, [tenant.siteId])).rowCount ?? 0;

test('everything of an entry is imported, except null values, unknown members and a draft’s dates', async () => {
  const structured = {
    faqs: [{ question: 'Why?', answer: 'Because.' }],
    key_takeaways: ['one', 'two'],
    howto_steps: [{ name: 'n', text: 't', image_url: null }],
    comparison: { title: null, columns: ['a'], rows: [{ label: 'b', values: ['c'] }] },
  };
  const first = entry({
    external_id: 'first',
    excerpt: 'In short.',
    seo_title: 'SEO',
    seo_description: 'Described',
    content: 'Text with  \r\n\ttabs \\ and 👍 ',
    content_updated_at: '2022-05-06T09:08:09.123+02:00',
    author: null,
    tags: null,
    format: null,
    featured_image: null,
    canonical_url: 'https://old.example/a',
    origin: 'generated',
    ...structured,
  });
  const draft = {
    external_id: 'draft',
    status: 'draft',
    published_at: 'once',
    content_updated_at: 5,
    title: 'Two',
  };
  const { code, report } = await run({ articles: [first, draft], authors: null, pages: [1] });
  expect([code, report.created]).toEqual([0, 2]);
  const { title, slug, content, excerpt } = first;
  expect(await article('first')).toMatchObject({ status: 'published', title, slug, content, excerpt });
  expect(await article('first')).toMatchObject({
    published_at: '2020-01-02T03:04:05.000Z',
    content_updated_at: '2022-05-06T07:08:09.123Z',
    faqs: structured.faqs,
    comparison: structured.comparison,
    origin: 'generated',
  });
  expect(await article('draft')).toMatchObject({
    status: 'draft',
    title: 'Two',
    slug: null,
    origin: 'person',
    published_at: null,
  });
});

describe('an article that has the external id', () => {
  test('is left unchanged if it is or was published, is scheduled, or its entry is a draft', async () => {
    const { secretKey: key } = tenant;
    await buildPublished(api, key, { external_id: 'published', title: 'Mine 1' });
    const once = await buildPublished(api, key, { external_id: 'once', title: 'Mine 2' });
    await api.request('POST', `/articles/${once.id}/unpublish`, { key });
    const later = await buildArticle(api, key, { external_id: 'later', title: 'Mine 3', content: 'x' });
    const body = { scheduled_publish_at: '2999-01-01T00:00:00Z' };
    await api.request('POST', `/articles/${later.id}/schedule`, { key, body });
    await buildArticle(api, key, { external_id: 'draft', title: 'Mine 4' });
    const ids = ['published', 'once', 'later', 'draft'];
    const before = await Promise.all(ids.map(article));
    const articles = ids.map((id) =>
      entry({ external_id: id, status: id === 'draft' ? 'draft' : 'published' }),
    );
    const { code, report } = await run({ articles });
    expect([code, report.unchanged]).toEqual([0, 4]);
    expect(await Promise.all(ids.map(article))).toEqual(before);
  });

  test('is completed if it is a never-published draft of a published entry', async () => {
    await buildArticle(api, tenant.secretKey, { external_id: 'half', title: 'Half', excerpt: 'Kept' });
    const articles = [
      entry({ external_id: 'half', title: 'Whole', slug: 'whole', content: 'All of it.', category: 'news' }),
    ];
    const { report } = await run({ articles, categories: [{ slug: 'news', name: 'News' }] });
    expect(report).toMatchObject({ created: 0, completed: 1, unchanged: 0, refused: [] });
    const { data } = await api.request('GET', '/categories', { key: tenant.secretKey });
    expect(await article('half')).toMatchObject({
      status: 'published',
      title: 'Whole',
      slug: 'whole',
      content: 'All of it.',
      excerpt: 'Kept',
      category_id: data.items[0].id,
      published_at: '2020-01-02T03:04:05.000Z',
      content_updated_at: null,
    });
    expect(await count('articles')).toBe(1);
  });
});

test('an article that was imported and then deleted is imported again', async () => {
  const articles = [entry({ external_id: 'gone' })];
  for (let round = 0; round < 3; round += 1) {
    expect((await run({ articles })).report.created).toBe(1);
    const { id } = await article('gone');
    expect((await api.request('DELETE', `/articles/${id}`, { key: tenant.secretKey })).status).toBe(204);
  }
  expect((await run({ articles: [{ ...articles[0], title: 'Other' }] })).report.created).toBe(1);
});

test('names that give the same slug or none are separate authors', async () => {
  const names = ['Ann Lee', 'Änn Lee', '太郎', '花子', 'Ann Lee'];
  const authors = names.map((name, index) => ({ ref: `r${index}`, name }));
  const { report } = await run({
    authors,
    articles: names.map((_, index) => entry({ author: `r${index}` })),
  });
  expect(report.created).toBe(5);
  const { data } = await api.request('GET', '/authors', { key: tenant.secretKey });
  const found = data.items.map((author: any) => [author.name, author.article_count]);
  expect(found.toSorted()).toEqual(
    [
      ['Ann Lee', 2],
      ['Änn Lee', 1],
      ['太郎', 1],
      ['花子', 1],
    ].toSorted(),
  );
});

test('a name with composed letters and without is one author, and slugs follow the order of the file', async () => {
  const names = ['Zoë', 'Zoe', 'Zoe\u0308', 'ZOE'];
  const authors = names.map((name, index) => ({ ref: `r${index}`, name }));
  const articles = names.map((_, index) => entry({ author: `r${index}` }));
  expect((await run({ authors, articles })).code).toBe(0);
  const { data } = await api.request('GET', '/authors', { key: tenant.secretKey });
  const found = data.items.map((author: any) => [author.name, author.slug, author.article_count]);
  expect(found.toSorted()).toEqual([
    ['ZOE', 'zoe-3', 1],
    ['Zoe', 'zoe-2', 1],
    ['Zoë', 'zoe', 2],
  ]);
});

test('a format is referenced by its key', async () => {
  const { report } = await run({ articles: [entry({ external_id: 'a', format: 'how-to' })] });
  expect(report.created).toBe(1);
  const formats = (await api.request('GET', '/content-types', { key: tenant.secretKey })).data.items;
  const found = await api.request('GET', '/articles?external_id=a&fields=format_id', {
    key: tenant.secretKey,
  });
  expect(found.data.items[0].format_id).toBe(formats.find((each: any) => each.key === 'how-to').id);
});

test('terms and authors that no accepted entry names are not created', async () => {
  const terms = [{ slug: 'a', name: 'A' }];
  await run({ authors: [{ ref: 'a', name: 'A' }], categories: terms, tags: terms, articles: [entry()] });
  expect(await Promise.all(['authors', 'categories', 'tags'].map(count))).toEqual([0, 0, 0]);
});

test('a dry run reports what the import will do, and writes nothing', async () => {
  const proxy = await startApiProxy(api.origin);
  const articles = [entry({ category: 'a' }), entry({ slug: '?' })];
  const parts = { articles, categories: [{ slug: 'a', name: 'A' }] };
  const dry = await run(parts, { baseUrl: proxy.baseUrl, more: ['--dry-run'] });
  expect(dry).toMatchObject({ code: 1, report: { created: 1, refused: [{ index: 1 }] } });
  expect(proxy.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  const { code, report } = await run(parts);
  expect([code, report]).toEqual([dry.code, dry.report]);
});

test('stdout has one JSON object, which --report also writes to a file; everything else is on stderr', async () => {
  const path = `${buildFile('', 'other.json')}.report`;
  const { out, err, code } = await run({ articles: [entry()] }, { more: ['--report', path] });
  expect(code).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(out);
  expect(Object.keys(JSON.parse(out))).toEqual(['created', 'completed', 'unchanged', 'refused', 'images']);
  expect(err).toContain('Articles: 1 created, 0 completed, 0 unchanged, 0 refused.');
});

test.each([429, 503])('a %i is retried after its Retry-After', async (status) => {
  let refusedAt = 0;
  let askedAgainAt = 0;
  const proxy = await startApiProxy(api.origin, ({ method, path, body }) => {
    if (method !== 'POST' || path !== '/v1/articles' || body === '[]') return 'pass';
    if (refusedAt === 0) {
      refusedAt = performance.now();
      return { status, headers: { 'retry-after': '2' } };
    }
    askedAgainAt ||= performance.now();
    return 'pass';
  });
  const { code, err } = await run({ articles: [entry()] }, { baseUrl: proxy.baseUrl });
  expect(code).toBe(0);
  expect(askedAgainAt - refusedAt).toBeGreaterThanOrEqual(1_950);
  expect(err).toContain(`waiting 2 s, as requested by the API (${status})`);
});

test('requests to an API that fails or drops connections are retried with the same idempotency keys', async () => {
  const failed = new Set<string>();
  const proxy = await startApiProxy(api.origin, ({ method, path, body }) => {
    const sign = method + path.replace(/[0-9a-f-]{36}/, 'ID');
    if (method === 'GET' || body === '[]' || failed.has(sign)) return 'pass';
    failed.add(sign);
    return path.endsWith('/publish') ? { status: 500 } : { answered: () => 'cut' };
  });
  const articles = [entry({ category: 'a' })];
  const parts = { articles, categories: [{ slug: 'a', name: 'A' }] };
  const { code, report } = await run(parts, { baseUrl: proxy.baseUrl });
  expect([code, report.created]).toEqual([0, 1]);
  expect([failed.size, await count('articles'), await count('categories')]).toEqual([3, 1, 1]);
});

test('a key revoked during the import ends it with 1, and the report lists what is missing', async () => {
  const { secret, id } = await buildKey(api.db, tenant.siteId, tenant.memberId);
  let creates = 0;
  const proxy = await startApiProxy(api.origin, ({ method, path, body }) => {
    if (method !== 'POST' || path !== '/v1/articles' || body === '[]' || (creates += 1) !== 3) return 'pass';
    const revoked = api.db.pool.query('update api_keys set revoked_at = now() where id = $1', [id]);
    return { after: revoked.then(() => {}), answered: () => 'give' };
  });
  const articles = Array.from({ length: 9 }, () => entry({ status: 'draft' }));
  const options = { key: secret, baseUrl: proxy.baseUrl, more: ['--concurrency', '1'] };
  const { code, report, out, err } = await run({ articles }, options);
  expect([code, report.created, report.refused.length]).toEqual([1, 2, 7]);
  expect(err).toContain('API_KEY_REVOKED');
  expect(out + err).not.toContain(secret);
  expect((await run({ articles })).report).toMatchObject({ created: 7, unchanged: 2 });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s stops it at once, and the same command continues', async (signal, expected) => {
  const held = Promise.withResolvers<void>();
  let creates = 0;
  const proxy = await startApiProxy(api.origin, ({ method, path, body }) => {
    if (method !== 'POST' || path !== '/v1/articles' || body === '[]' || (creates += 1) !== 2) return 'pass';
    held.resolve();
    return 'hold';
  });
  const args = command(buildFile(importFile({ articles: [entry(), entry(), entry()] })), {
    baseUrl: proxy.baseUrl,
    more: ['--concurrency', '1'],
  });
  const importer = startImport(args);
  await held.promise;
  importer.interrupt(signal);
  expect(await importer.ended).toBe(expected);
  expect(importer.out()).toBe('');
  expect(importer.err()).toContain('Run the same command again to continue.');
  const { code, report } = await runImport(args);
  expect([code, report.created, report.unchanged]).toEqual([0, 2, 1]);
});

test('a key only needs the scopes that the file requires', async () => {
  const scopes = ['articles:read', 'articles:write'] as const;
  const { secret } = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes });
  expect((await run({ articles: [entry()] }, { key: secret })).code).toBe(0);
});

test('the key is never shown, even if the file or an image URL contains it', async () => {
  const { secretKey: key } = tenant;
  const articles = [
    entry({ title: key, content: `![a](http://127.0.0.1:1/${key}.png)` }),
    entry({ external_id: key, slug: key }),
  ];
  const { out, err, code } = await run({ articles });
  expect(code).toBe(1);
  expect(out + err).not.toContain(key);
  await eventually('the article is in', async () => (await count('articles')) === 1);
});
