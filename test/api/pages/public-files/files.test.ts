import { publicFolder } from '../../../../domain/media/reservation.ts';
import { foldPublicChanges } from '../../../../domain/delivery/public-site.ts';
import { startApi, useApi } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { mistakesIn } from '../../../support/xml-schemas.ts';

const api = await useApi({}, { ownDatabase: 'the changes of all Sites are folded' });
const other = await startApi({ publicUrl: api.origin }, { on: api });
afterAll(() => other.close());
let tenant: Tenant;
let domain: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  domain = (await call('GET', '/site')).data.domain;
});

const call = (method: string, path: string, body?: object) =>
  api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
const get = (path: string, headers: Record<string, string> = {}, from = api, method = 'GET') =>
  fetch(`${from.origin}/${publicFolder(tenant.siteId)}/${path}`, { headers, method });
const text = async (path: string, from = api): Promise<string> => (await get(path, {}, from)).text();
const locations = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url as string);
const published = (body: object = {}) => buildPublished(api, tenant.secretKey, body);

const types = {
  'rss.xml': 'application/rss+xml; charset=utf-8',
  'atom.xml': 'application/atom+xml; charset=utf-8',
  'feed.json': 'application/feed+json; charset=utf-8',
  'sitemap.xml': 'application/xml; charset=utf-8',
  'robots.txt': 'text/plain; charset=utf-8',
  'llms.txt': 'text/plain; charset=utf-8',
};

test.each(Object.entries(types))(
  '%s has its headers, and HEAD and 304 answer without a body',
  async (path, type) => {
    await published({ title: 'Über Tee' });
    const answer = await get(path, { 'request-id': 'my-own' });
    const body = await answer.text();
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=60, s-maxage=86400, stale-while-revalidate=600',
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
      'request-id': 'my-own',
      'ratelimit-limit': expect.stringMatching(/^\d+$/),
      'ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'ratelimit-reset': expect.stringMatching(/^\d+$/),
      'content-length': String(Buffer.byteLength(body)),
    });
    const keys = (headers['surrogate-key'] as string).split(' ');
    expect(keys.join(',')).toBe(headers['cache-tag']);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{20}$/);

    const head = await get(path, {}, api, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      headers['content-length'],
      '',
    ]);
    for (const method of ['GET', 'HEAD']) {
      const again = await get(path, { 'if-none-match': headers['etag'] as string }, other, method);
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([
        304,
        '',
        headers['etag'],
      ]);
      expect(again.headers.get('surrogate-key')).toBe(headers['surrogate-key']);
    }
    await published();
    expect((await get(path, { 'if-none-match': headers['etag'] as string })).status).toBe(200);
  },
);

test('every change is shown by the next request to any process, whatever it has kept', async () => {
  const term = await buildTerm(api, tenant.secretKey, 'categories', { name: 'Before' });
  const article = await published({ title: 'One', category_id: term.id });
  const draft = await buildArticle(api, tenant.secretKey, { title: 'Two', content: 'x' });
  const steps: [string, string, object | undefined, RegExp][] = [
    ['PATCH', `/articles/${article.id}`, { title: 'One again' }, /One again/],
    ['POST', `/articles/${draft.id}/publish`, undefined, /One again[^]*Two|Two[^]*One again/],
    ['PATCH', `/categories/${term.id}`, { name: 'After' }, /After/],
    ['PATCH', '/site', { name: 'Another name' }, /Another name/],
    ['DELETE', `/categories/${term.id}`, undefined, /^(?![^]*After)/],
    ['POST', `/articles/${article.id}/unpublish`, undefined, /^(?![^]*One again)/],
    ['DELETE', `/articles/${draft.id}`, undefined, /^(?![^]*Two)/],
  ];
  for (const [method, path, body, shows] of steps) {
    for (const from of [api, other]) await text('rss.xml', from);
    expect((await call(method, path, body)).status).toBeLessThan(300);
    for (const from of [api, other]) expect(await text('rss.xml', from)).toMatch(shows);
  }
});

test('concurrent changes and requests never leave an old file', async () => {
  const articles = await Promise.all(Array.from({ length: 6 }, () => published()));
  const stop = new AbortController();
  const readers = [api, other].flatMap((from) =>
    [1, 2, 3].map(async () => {
      while (!stop.signal.aborted) await text('feed.json', from);
    }),
  );
  await Promise.all(
    articles.map(async ({ id }, index) => {
      for (let round = 0; round < 5; round += 1) {
        const title = `Title ${index} ${round}`;
        await call('PATCH', `/articles/${id}`, { title });
        for (const from of [api, other]) expect(await text('feed.json', from)).toContain(`"${title}"`);
      }
    }),
  );
  stop.abort();
  await Promise.all(readers);
});

test('a draft changes no version, and housekeeping does not either', async () => {
  await published();
  const etag = (await get('rss.xml')).headers.get('etag') as string;
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Draft', content: 'x' });
  await call('PATCH', `/articles/${id}`, { title: 'Still a draft' });
  await api.db.transaction((tx) => foldPublicChanges(tx, 10_000));
  const { rows } = await api.db.pool.query('select from public_changes');
  expect(rows).toEqual([]);
  expect((await get('rss.xml', { 'if-none-match': etag })).status).toBe(304);
  await call('POST', `/articles/${id}/publish`);
  expect((await get('rss.xml', { 'if-none-match': etag })).status).toBe(200);
});

test('If-None-Match: * is 304 for a file that there is', async () => {
  await published();
  const response = await get('rss.xml', { 'if-none-match': '*' });
  expect([response.status, await response.text()]).toEqual([304, '']);
  expect(response.headers.get('etag')).toBe((await get('rss.xml')).headers.get('etag'));
});

test('an unknown folder, slug or part is 404, and the images of the folder are still served', async () => {
  const folder = publicFolder(tenant.siteId);
  for (const path of [
    `/public/${'0'.repeat(32)}/rss.xml`,
    '/public/nowhere/sitemap.xml',
    `/public/${tenant.siteId}/rss.xml`,
    `/${folder}/category/nothing/rss.xml`,
    `/${folder}/author/x'y/feed.json`,
    `/${folder}/sitemap-article-2.xml`,
  ]) {
    const response = await fetch(api.origin + path, { headers: { 'if-none-match': '*' } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({
      error: { code: 'NOT_FOUND' },
      request_id: expect.any(String),
    });
    expect(response.headers.get('ratelimit-limit')).not.toBeNull();
  }
  expect((await fetch(`${api.origin}/${folder}/rss.xml`, { method: 'POST' })).status).toBe(401);
});

test('the files of a Site that is being deleted are gone', async () => {
  await published();
  expect((await get('rss.xml')).status).toBe(200);
  await api.db.pool.query('update sites set deleting_since = now() where id = $1', [tenant.siteId]);
  for (const path of Object.keys(types)) expect([path, (await get(path)).status]).toEqual([path, 404]);
});

test('the sitemap lists the published articles, and the terms that they have', async () => {
  const category = await buildTerm(api, tenant.secretKey, 'categories', { slug: 'used' });
  await buildTerm(api, tenant.secretKey, 'tags', { slug: 'unused' });
  const article = await published({ category_id: category.id });
  await buildArticle(api, tenant.secretKey, { title: 'Draft', slug: 'draft', content: 'x' });
  const sitemap = await text('sitemap.xml');
  expect(await mistakesIn(sitemap, 'sitemap')).toEqual([]);
  expect(locations(sitemap)).toEqual([
    `https://${domain}/${article.slug}`,
    `https://${domain}/category/used`,
  ]);
  expect(sitemap).toContain(`<lastmod>${article.published_at}</lastmod>`);
});

test('robots.txt allows everything and names the sitemap', async () => {
  const base = `${api.origin}/${publicFolder(tenant.siteId)}`;
  expect(await text('robots.txt')).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${base}/sitemap.xml\n`);
});

test('llms.txt lists the articles in Markdown', async () => {
  await call('PATCH', '/site', { name: 'Tea' });
  await published({ title: 'Tea [and]\n# bread', slug: 'tea', excerpt: 'All\nof it' });
  expect(await text('llms.txt')).toMatch(
    new RegExp(
      `^# Tea\n[^]*\n- \\[Tea \\\\\\[and\\\\\\] \\\\# bread\\]\\(https://${domain}/tea\\): All of it\n$`,
    ),
  );
});

test('a Site with more than 10,000 pages has an index of parts, each valid and within a second', async () => {
  await api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, published_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'published', 'No ' || n, 'no-' || n, 'x', now() - n * interval '1 minute', now(), now()
     from generate_series(1, 10000) n`,
    [tenant.siteId],
  );
  expect(locations(await text('sitemap.xml'))).toHaveLength(10_000);
  const category = await buildTerm(api, tenant.secretKey, 'categories', { slug: 'last' });
  await published({ slug: 'newest', category_id: category.id });
  let index = '';
  let round = 0;
  // A busy machine takes longer sometimes, a bad query always.
  await eventually('it is made within a second', async () => {
    await call('PATCH', `/categories/${category.id}`, { name: `Changed ${(round += 1)}` });
    const startedAt = performance.now();
    index = await text('sitemap.xml');
    return performance.now() - startedAt < 1_000;
  });
  expect(await mistakesIn(index, 'sitemap')).toEqual([]);
  const base = `${api.origin}/${publicFolder(tenant.siteId)}`;
  expect(locations(index)).toEqual([
    `${base}/sitemap-article-1.xml`,
    `${base}/sitemap-article-2.xml`,
    `${base}/sitemap-category-1.xml`,
  ]);
  const parts = await Promise.all(locations(index).map(async (url) => (await fetch(url)).text()));
  for (const part of parts) expect(await mistakesIn(part, 'sitemap')).toEqual([]);
  const urls = parts.flatMap(locations);
  expect(new Set(urls).size).toBe(10_002);
  expect(urls.slice(-2)).toEqual([`https://${domain}/newest`, `https://${domain}/category/last`]);
});
