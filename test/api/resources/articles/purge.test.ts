import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCachePurger } from '../../../../adapters/http/cache-purger.ts';
import { createGuardedClient } from '../../../../adapters/http/guarded-client.ts';
import { createCachePurgeActivities } from '../../../../activities/cache-purge.ts';
import { publicFolder } from '../../../../domain/media/reservation.ts';
import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Tenant } from '../../../support/builders.ts';

let tenant: Tenant;
/** Of the Site, and of its public files. */
let blog: string;
let base: string;
const FILES = 'http://files.example';
interface Call {
  readonly urls: string[];
  readonly keys: string[];
}
let purged: Call[] = [];
let behaviour: 'answers' | 'fails' | 'hangs' = 'answers';

const cache = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    purged.push(JSON.parse(Buffer.concat(chunks).toString()) as Call);
    if (behaviour === 'hangs') return;
    response.statusCode = behaviour === 'answers' ? 204 : 500;
    response.end();
  });
});
await new Promise<void>((resolve) => cache.listen(0, '127.0.0.1', resolve));
const http = createGuardedClient();
const address = `http://127.0.0.1:${(cache.address() as AddressInfo).port}/purge`;
const purger = createCachePurger(http, address, FILES);
const api = await useApi(
  { purger },
  { ownDatabase: 'it counts the purges of all Sites, and empties the outbox' },
);

beforeEach(async () => {
  behaviour = 'answers';
  tenant = await buildTenant(api.db);
  blog = `https://${(await call('GET', '/site')).data.domain}`;
  base = `${FILES}/${publicFolder(tenant.siteId)}`;
  purged = [];
});
afterAll(async () => {
  await http.close();
  cache.closeAllConnections();
  await new Promise((resolve) => cache.close(resolve));
});

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
const owed = async (): Promise<number> => (await api.db.pool.query('select from cache_purges')).rowCount ?? 0;

/** The pages of the blog in a call, as paths. */
const pages = ({ urls }: Call): string[] =>
  urls
    .filter((url) => url.startsWith(`${blog}/`))
    .map((url) => url.slice(blog.length))
    .toSorted();
/** The public files in a call, below the folder of the Site. */
const files = ({ urls }: Call): string[] =>
  urls
    .filter((url) => url.startsWith(`${base}/`))
    .map((url) => url.slice(base.length + 1))
    .toSorted();
const siteFiles = ['atom.xml', 'feed.json', 'llms.txt', 'rss.xml', 'sitemap.xml'];
const termFiles = (path: string): string[] =>
  ['atom.xml', 'feed.json', 'rss.xml'].map((file) => `${path}/${file}`);
const keysOf = async (path: string): Promise<string[]> => {
  const response = await fetch(`${api.origin}/${publicFolder(tenant.siteId)}/${path}`);
  return (response.headers.get('surrogate-key') ?? '').split(' ');
};
const term = (kind: 'categories' | 'tags' | 'authors', slug: string) =>
  buildTerm(api, tenant.secretKey, kind, { slug });
/** Does what the workflows would do. @returns their calls */
async function afterwards(): Promise<Call[]> {
  purged = [];
  const { purgeCache } = createCachePurgeActivities({
    db: api.db,
    purger: createCachePurger(http, address, FILES),
  });
  const { rows } = await api.db.pool.query('select id from cache_purges order by id');
  for (const { id } of rows) await purgeCache(id);
  expect(await owed()).toBe(0);
  return purged;
}

test('each change of a public page is purged within the request, with the old and the new address', async () => {
  const { id, slug } = await buildPublished(api, tenant.secretKey);
  await call('PATCH', `/articles/${id}`, { slug: 'moved' });
  await call('POST', `/articles/${id}/unpublish`);
  expect(purged.map(pages)).toEqual([[`/${slug}`], ['/moved', `/${slug}`].toSorted(), ['/moved']]);
  expect(purged.map(files)).toEqual([siteFiles, siteFiles, siteFiles]);
  expect(await owed()).toBe(0);
});

test('the pages and feeds of the terms of an article are purged, before and after the change', async () => {
  const [category, tag, author, other] = await Promise.all([
    term('categories', 'c'),
    term('tags', 't'),
    term('authors', 'a'),
    term('categories', 'd'),
  ]);
  const all = { category_id: category.id, tag_ids: [tag.id], author_id: author.id };
  const { id } = await buildPublished(api, tenant.secretKey, { slug: 'tea', ...all });
  await call('PATCH', `/articles/${id}`, { category_id: other.id, tag_ids: [], author_id: null });
  await call('DELETE', `/articles/${id}`);
  expect(purged.map(pages)).toEqual([
    ['/author/a', '/category/c', '/tag/t', '/tea'],
    ['/author/a', '/category/c', '/category/d', '/tag/t', '/tea'],
    ['/category/d', '/tea'],
  ]);
  const [first, , last] = purged as [Call, Call, Call];
  expect(files(first)).toEqual(
    [...siteFiles, ...termFiles('author/a'), ...termFiles('category/c'), ...termFiles('tag/t')].toSorted(),
  );
  // The keys are those that the files carry, and say nothing.
  for (const path of ['rss.xml', 'sitemap.xml', 'llms.txt', 'category/d/rss.xml'])
    expect((await keysOf(path)).filter((key) => last.keys.includes(key))).toHaveLength(1);
  for (const key of first.keys) expect(key).toMatch(/^[0-9a-f]{20}$/);
  expect((await keysOf('tag/t/rss.xml')).filter((key) => first.keys.includes(key))).toHaveLength(1);
  expect(await owed()).toBe(0);
});

test.each([
  ['category', 'categories', (id: string) => ({ category_id: id })],
  ['tag', 'tags', (id: string) => ({ tag_ids: [id] })],
  ['author', 'authors', (id: string) => ({ author_id: id })],
] as const)(
  'a renamed %s is purged under both slugs, then the pages of its articles',
  async (kind, table, having) => {
    const { id } = await term(table, 'before');
    await term('tags', 'other');
    const article = await buildPublished(api, tenant.secretKey, { slug: 'inside', ...having(id) });
    await buildPublished(api, tenant.secretKey, { slug: 'outside' });
    purged = [];
    await call('PATCH', `/${table}/${id}`, { slug: 'after', name: 'Renamed' });
    expect(purged.map(pages)).toEqual([[`/${kind}/after`, `/${kind}/before`]]);
    expect(files(purged[0] as Call)).toEqual(
      [...siteFiles, ...termFiles(`${kind}/after`), ...termFiles(`${kind}/before`)].toSorted(),
    );
    const [first] = purged;
    const later = await afterwards();
    expect(later.flatMap(pages)).toEqual(['/inside']);
    // Feeds of other terms name it, too.
    expect(later.flatMap(files)).toEqual(expect.arrayContaining(termFiles('tag/other')));
    for (const file of ['tag/other/rss.xml', 'rss.xml'])
      expect((await keysOf(file)).some((key) => first?.keys.includes(key))).toBe(true);
    purged = [];
    await call('DELETE', `/${table}/${id}`);
    expect(purged.map(pages)).toEqual([[`/${kind}/after`, '/inside'].toSorted()]);
    expect((await afterwards()).flatMap(files)).toEqual(expect.arrayContaining(termFiles('tag/other')));
    expect(article.slug).toBe('inside');
  },
);

test('a deleted tag purges the page of an article that gets it at that moment', async () => {
  const tag = await term('tags', 't');
  const { id, slug } = await buildPublished(api, tenant.secretKey);
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    const { pid } = (await client.query('select pg_backend_pid() as pid')).rows[0];
    await client.query('insert into article_tags (site_id, article_id, tag_id) values ($1, $2, $3)', [
      tenant.siteId,
      id,
      tag.id,
    ]);
    purged = [];
    const deleted = call('DELETE', `/tags/${tag.id}`);
    await eventually('it waits', async () => {
      const waiting = 'select from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))';
      return (await api.db.pool.query(waiting, [pid])).rows.length > 0;
    });
    await client.query('commit');
    expect((await deleted).status).toBe(204);
  } finally {
    client.release();
  }
  expect(purged.flatMap(pages)).toContain(`/${slug}`);
});

test('changed url_paths purge every page under the old and the new path, in calls of a bounded size', async () => {
  await term('tags', 'tea');
  await api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, published_at, created_at, updated_at)
     select gen_random_uuid(), $1, case when n > 450 then 'draft' else 'published' end, 'No ' || n, 'no-' || n, 'x', now(), now(), now()
     from generate_series(1, 500) n`,
    [tenant.siteId],
  );
  const { url_paths: paths } = (await call('GET', '/site')).data;
  await call('PATCH', '/site', { url_paths: { ...paths, article: '/blog/{slug}' } });
  expect(purged.map(files)).toEqual([siteFiles]);
  expect((await keysOf('robots.txt')).every((key) => purged[0]?.keys.includes(key))).toBe(true);
  const calls = await afterwards();
  for (const { urls } of calls) expect(urls.length).toBeLessThanOrEqual(1_000);
  const articles = calls.flatMap(pages).filter((path) => path.includes('no-'));
  expect(articles).toHaveLength(900);
  expect(articles).toEqual(expect.arrayContaining(['/no-1', '/blog/no-1', '/no-450', '/blog/no-450']));
  expect(calls.flatMap(pages)).toContain('/tag/tea');
  expect(calls.flatMap(files)).toEqual(termFiles('tag/tea'));
});

test('a purge of many pages goes on where it failed', async () => {
  await api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, published_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'published', 'No ' || n, 'no-' || n, 'x', now(), now(), now()
     from generate_series(1, 300) n`,
    [tenant.siteId],
  );
  const { url_paths: paths } = (await call('GET', '/site')).data;
  await call('PATCH', '/site', { url_paths: { ...paths, article: '/b/{slug}' } });
  purged = [];
  const purger = createCachePurger(http, address, FILES);
  let calls = 0;
  const failing = {
    ...purger,
    purge: (...call: Parameters<typeof purger.purge>) =>
      (calls += 1) === 2 ? Promise.resolve(false) : purger.purge(...call),
  };
  const { purgeCache } = createCachePurgeActivities({ db: api.db, purger: failing });
  const [{ id }] = (await api.db.pool.query('select id from cache_purges')).rows;
  await expect(purgeCache(id)).rejects.toThrow('did not accept');
  await purgeCache(id);
  expect(purged.flatMap(pages)).toHaveLength(600);
  expect(new Set(purged.flatMap(pages)).size).toBe(600);
  expect(await owed()).toBe(0);
});

test.each([
  ['a name', { name: 'New name' }],
  ['a mark', { ai_disclosure: 'mark' }],
])('a setting that readers do not see purges nothing, %s purges all by key', async (_, seen) => {
  await call('PATCH', '/site', { timezone: 'UTC', preview_url: 'https://a.example/{token}' });
  expect([purged, await owed()]).toEqual([[], 0]);
  const keys = await keysOf('rss.xml');
  await call('PATCH', '/site', seen);
  expect(purged).toHaveLength(1);
  expect(keys.every((key) => purged[0]?.keys.includes(key))).toBe(true);
  await afterwards();
});

test('the page of an article is purged when its visible comments change, and only then', async () => {
  const { id, slug } = await buildPublished(api, tenant.secretKey);
  await call('PATCH', '/comments/settings', { enabled: true, moderation: 'hold_all' });
  const submit = async (body: string): Promise<string> => {
    await call('POST', '/comments', { slug, body, author_name: 'Ada', author_email: 'ada@example.com' });
    const { items } = (await call('GET', '/comments?limit=1')).data;
    return items[0].id;
  };
  purged = [];
  const first = await submit('First');
  expect(purged).toEqual([]);
  const steps: [string, string, object | undefined, number][] = [
    ['POST', `/comments/${first}/approve`, undefined, 1],
    ['POST', `/comments/${first}/approve`, undefined, 0],
    ['POST', `/comments/${first}/reply`, { body: 'Thanks' }, 1],
    ['POST', `/comments/${first}/spam`, undefined, 1],
    ['POST', `/comments/${first}/hold`, undefined, 0],
    ['POST', `/comments/${first}/approve`, undefined, 1],
    ['DELETE', `/comments/${first}`, undefined, 1],
  ];
  for (const [method, path, body, calls] of steps) {
    purged = [];
    expect((await call(method, path, body)).status).toBeLessThan(300);
    expect([path, purged.map(({ urls }) => urls)]).toEqual([
      path,
      Array.from({ length: calls }, () => [`${blog}/${slug}`]),
    ]);
  }
  await call('POST', `/comments/${await submit('Second')}/approve`);
  purged = [];
  await call('POST', '/comments/erase', { author_email: 'ada@example.com' });
  expect(purged.map(pages)).toEqual([[`/${slug}`]]);
  await call('PATCH', '/comments/settings', { moderation: 'none' });
  purged = [];
  await submit('Shown at once');
  expect(purged.map(pages)).toEqual([[`/${slug}`]]);
  expect(id).toBeDefined();
});

test('changes of drafts purge nothing', async () => {
  const { id } = await buildArticle(api, tenant.secretKey, { title: 'Private' });
  await call('PATCH', `/articles/${id}`, { title: 'Still private' });
  await call('DELETE', `/articles/${id}`);
  expect(purged).toEqual([]);
});

test.each(['fails', 'hangs'] as const)(
  'if the cache %s, the request succeeds and the purge stays pending',
  async (how) => {
    behaviour = how;
    const { id } = await buildPublished(api, tenant.secretKey);
    expect((await call('GET', `/articles/${id}`)).data.status).toBe('published');
    expect(await owed()).toBe(1);
    const { rows } = await api.db.pool.query(
      "select kind, available_at > now() as later from outbox where kind = 'cache-purge'",
    );
    expect(rows).toEqual([{ kind: 'cache-purge', later: true }]);
    await api.db.pool.query('delete from cache_purges');
    await api.db.pool.query('delete from outbox');
  },
);
