import { MarkdownRefused } from '../../../../adapters/markdown/renderer.ts';
import { publicFolder } from '../../../../domain/media/reservation.ts';
import { startApi, useApi } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { jsonFeedShape } from '../../../support/json-feed.ts';
import { testRenderer } from '../../../support/renderer.ts';
import { mistakesIn } from '../../../support/xml-schemas.ts';

const api = await useApi();
let tenant: Tenant;
let domain: string;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
  domain = (await call('GET', '/site')).data.domain;
});

const call = (method: string, path: string, body?: object) =>
  api.request(method, path, { key: tenant.secretKey, body, idempotencyKey: true });
const base = (): string => `${api.origin}/${publicFolder(tenant.siteId)}`;
const file = async (path: string): Promise<string> => {
  const response = await fetch(`${base()}/${path}`);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
};
const jsonFeed = async (path = 'feed.json') => jsonFeedShape.parse(JSON.parse(await file(path)));
const urlPaths = { article: '/{slug}', category: '/c/{slug}', tag: '/t/{slug}', author: '/a/{slug}' };
const published = (body: object = {}) => buildPublished(api, tenant.secretKey, body);

/** Every format of a feed, as valid by its schema. */
async function validFeed(folder = '') {
  const rss = await file(`${folder}rss.xml`);
  const atom = await file(`${folder}atom.xml`);
  expect([await mistakesIn(rss, 'rss'), await mistakesIn(atom, 'atom')]).toEqual([[], []]);
  return { rss, atom, json: await jsonFeed(`${folder}feed.json`) };
}

test('a feed shows an article with everything that readers see, in each format', async () => {
  const [category, tag, author] = await Promise.all([
    buildTerm(api, tenant.secretKey, 'categories', { name: 'Green & black' }),
    buildTerm(api, tenant.secretKey, 'tags', { name: 'Tea' }),
    buildTerm(api, tenant.secretKey, 'authors', { name: 'Ada <3' }),
  ]);
  const article = await published({
    title: 'Tea & "bread"',
    excerpt: 'How <b>long</b>?',
    featured_image_url: 'https://img.example.com/a.png?x=1&y=2',
    category_id: category.id,
    tag_ids: [tag.id],
    author_id: author.id,
  });
  const { rss, atom, json } = await validFeed();
  expect(json).toMatchObject({
    home_page_url: `https://${domain}/`,
    feed_url: `${base()}/feed.json`,
    language: 'en',
  });
  expect(json.items).toEqual([
    {
      id: `urn:uuid:${article.id}`,
      url: `https://${domain}/${article.slug}`,
      title: 'Tea & "bread"',
      summary: 'How <b>long</b>?',
      content_text: 'How <b>long</b>?',
      image: 'https://img.example.com/a.png?x=1&y=2',
      date_published: article.published_at,
      date_modified: article.published_at,
      authors: [{ name: 'Ada <3', url: `https://${domain}/author/${author.slug}` }],
      tags: ['Green & black', 'Tea'],
    },
  ]);
  for (const text of [rss, atom]) {
    expect(text).toContain('<title>Tea &amp; &quot;bread&quot;</title>');
    expect(text).toContain(`https://${domain}/${article.slug}`);
    expect(text).toContain(`urn:uuid:${article.id}`);
    expect(text).toContain('How &lt;b&gt;long&lt;/b&gt;?');
    expect(text).not.toContain(tenant.siteId);
  }
  expect(rss).toContain(`<pubDate>${new Date(article.published_at).toUTCString()}</pubDate>`);
  expect(rss).toContain(`href="${base()}/rss.xml"`);
  expect(atom).toContain(`<category term="${category.slug}" label="Green &amp; black"/>`);
});

test('a feed of a Site without articles is valid', async () => {
  expect((await validFeed()).json.items).toEqual([]);
});

test('the newest 50 of the published articles are shown, newest first', async () => {
  await buildArticle(api, tenant.secretKey, { title: 'A draft', content: 'x' });
  await api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, published_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'published', 'No ' || n, 'no-' || n, 'x', now() - n * interval '1 hour', now(), now()
     from generate_series(1, 60) n`,
    [tenant.siteId],
  );
  const { json } = await validFeed();
  expect(json.items.map(({ title }) => title)).toEqual(Array.from({ length: 50 }, (_, n) => `No ${n + 1}`));
});

test('titles, names and excerpts that are hostile to XML leave it well-formed', async () => {
  const hostile = '</title>]]>&#x0;<!-- \u0001\u0008\u000b\uffff \u0085 😀 <?xml?> &amp; "\'';
  await call('PATCH', '/site', { name: hostile });
  const term = await buildTerm(api, tenant.secretKey, 'categories', { name: hostile, slug: 'hostile' });
  await published({
    title: hostile,
    excerpt: hostile,
    content: `${hostile}\u0007`,
    category_id: term.id,
    slug: 'h',
  });
  for (const content of ['excerpt', 'full']) {
    await call('PATCH', '/site', { feed_content: content });
    for (const folder of ['', 'category/hostile/']) {
      const { rss, json } = await validFeed(folder);
      expect(json.items[0]?.title).toBe(hostile);
      expect(rss).toContain('&lt;/title&gt;]]&gt;&amp;#x0;&lt;!-- ');
    }
  }
  expect(await mistakesIn(await file('sitemap.xml'), 'sitemap')).toEqual([]);
  expect((await file('llms.txt')).split('\n').filter((line) => line.startsWith('- '))).toHaveLength(1);
});

test('full feeds contain whole articles, sanitised; excerpts do not', async () => {
  await published({ content: '# Big\n\nA **bold** word <script>alert(1)</script>', excerpt: 'Short' });
  expect((await jsonFeed()).items[0]).toMatchObject({ content_text: 'Short' });
  await call('PATCH', '/site', { feed_content: 'full' });
  const { rss, atom, json } = await validFeed();
  expect(json.items[0]?.content_html).toContain('<strong>bold</strong>');
  expect(json.items[0]?.content_html).not.toContain('<script>');
  expect(json.items[0]).not.toHaveProperty('content_text');
  expect(rss).toContain('<content:encoded>&lt;h1');
  expect(atom).toContain('<content type="html">&lt;h1');
});

test('in full feeds, addresses lead on from the page of the article, and ids differ between articles', async () => {
  await call('PATCH', '/site', {
    feed_content: 'full',
    url_paths: { ...urlPaths, article: '/блог/{slug}/x' },
  });
  const content = '[a](../about) [b](//cdn.example/b) ![c](img/c.png) [d](#part) e[^1]\n\n# Part\n\n[^1]: f';
  await published({ title: 'One', content, excerpt: 'Short' });
  await published({ title: 'Two', content, excerpt: 'Short' });
  const { rss, atom, json } = await validFeed();
  const page = `https://${domain}/%D0%B1%D0%BB%D0%BE%D0%B3/one/x`;
  expect(json.items[1]?.url).toBe(page);
  const html = String(json.items[1]?.content_html);
  expect(html).toContain(`href="https://${domain}/%D0%B1%D0%BB%D0%BE%D0%B3/about"`);
  expect(html).toContain('href="https://cdn.example/b"');
  expect(html).toContain(`src="https://${domain}/%D0%B1%D0%BB%D0%BE%D0%B3/one/img/c.png"`);
  const links = [...html.matchAll(/ href="([^"#]*)#([^"]+)"/g)];
  expect(links.map(([, address]) => address)).toEqual([page, page, page]);
  for (const [, , id] of links) expect(html).toContain(`id="${id}"`);
  const ids = json.items.flatMap((item) =>
    [...String(item.content_html).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id),
  );
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
  for (const text of [rss, atom]) {
    expect(text).toContain(page);
    expect(text).not.toMatch(/(href|src)=&quot;(?!https:)/);
  }
  const sitemap = await file('sitemap.xml');
  expect(sitemap).toContain(`<loc>${page}</loc>`);
  expect(await mistakesIn(sitemap, 'sitemap')).toEqual([]);
});

test('a feed without a text that could not be rendered has an ETag of its own, and is kept for a while only', async () => {
  await call('PATCH', '/site', { feed_content: 'full' });
  await published({ content: 'A **bold** word', excerpt: 'Short' });
  let isBusy = true;
  const busy = await startApi(
    {
      renderer: {
        ...testRenderer,
        render: (siteId, text) =>
          isBusy ? Promise.reject(new MarkdownRefused('is odd')) : testRenderer.render(siteId, text),
      },
    },
    { on: api },
  );
  const path = `${busy.origin}/${publicFolder(tenant.siteId)}`;
  const incomplete = await fetch(`${path}/feed.json`);
  expect(jsonFeedShape.parse(await incomplete.json()).items[0]).toMatchObject({ content_text: 'Short' });
  isBusy = false;
  const etag = incomplete.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\//);
  const again = await fetch(`${path}/feed.json`, { headers: { 'if-none-match': etag } });
  expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
  // Another process has not kept it, and shows the same version.
  const complete = await fetch(`${base()}/feed.json`, { headers: { 'if-none-match': etag } });
  expect(complete.status).toBe(200);
  expect(complete.headers.get('cache-control')).toBe(incomplete.headers.get('cache-control'));
  expect(await complete.text()).toContain('<strong>bold');
  await busy.close();
});

test('the contents of a full feed are bounded: what is beyond it is shown by its excerpt', async () => {
  await call('PATCH', '/site', { feed_content: 'full' });
  const content = 'Word and word. '.repeat(20_000);
  for (const n of [1, 2, 3, 4, 5]) await published({ title: `Long ${n}`, content, excerpt: `Excerpt ${n}` });
  const { items } = await jsonFeed();
  expect(items.map(({ title, content_html: html }) => [title, html === undefined])).toEqual([
    ['Long 5', false],
    ['Long 4', false],
    ['Long 3', false],
    ['Long 2', true],
    ['Long 1', true],
  ]);
});

test.each([
  ['category', 'categories', (id: string) => ({ category_id: id })],
  ['tag', 'tags', (id: string) => ({ tag_ids: [id] })],
  ['author', 'authors', (id: string) => ({ author_id: id })],
] as const)(
  'the feeds of a %s have its articles only, under its current slug',
  async (kind, path, having) => {
    const term = await buildTerm(api, tenant.secretKey, path);
    const inside = await published({ title: 'Inside', ...having(term.id) });
    await published({ title: 'Outside' });
    const { json } = await validFeed(`${kind}/${term.slug}/`);
    expect(json.items.map(({ title }) => title)).toEqual(['Inside']);
    expect(json.home_page_url).toBe(`https://${domain}/${kind}/${term.slug}`);
    expect(json.title).toContain(term.name);

    await call('PATCH', `/${path}/${term.id}`, { slug: 'renamed', name: 'Renamed' });
    expect((await fetch(`${base()}/${kind}/${term.slug}/rss.xml`)).status).toBe(404);
    expect((await jsonFeed(`${kind}/renamed/feed.json`)).title).toContain('Renamed');
    await call(
      'PATCH',
      `/articles/${inside.id}`,
      kind === 'tag' ? { tag_ids: [] } : { [`${kind}_id`]: null },
    );
    expect((await jsonFeed(`${kind}/renamed/feed.json`)).items).toEqual([]);
    await call('DELETE', `/${path}/${term.id}`);
    expect((await fetch(`${base()}/${kind}/renamed/rss.xml`)).status).toBe(404);
  },
);

test('the id of an entry stays when the slug changes', async () => {
  const { id } = await published({ slug: 'before' });
  const [before] = (await jsonFeed()).items;
  await call('PATCH', `/articles/${id}`, { slug: 'after' });
  const [after] = (await jsonFeed()).items;
  expect([before?.url, after?.url]).toEqual([`https://${domain}/before`, `https://${domain}/after`]);
  expect(after?.id).toBe(before?.id);
});

test('the addresses follow url_paths', async () => {
  const author = await buildTerm(api, tenant.secretKey, 'authors', { slug: 'ada' });
  await published({ slug: 'tea', author_id: author.id });
  await jsonFeed();
  const paths = {
    article: '/blog/{slug}.html',
    category: '/c/{slug}',
    tag: '/t/{slug}',
    author: '/by/{slug}',
  };
  await call('PATCH', '/site', { url_paths: paths });
  const [item] = (await jsonFeed()).items;
  expect([item?.url, item?.authors?.[0]?.url]).toEqual([
    `https://${domain}/blog/tea.html`,
    `https://${domain}/by/ada`,
  ]);
  expect(await file('sitemap.xml')).toContain(`<loc>https://${domain}/by/ada</loc>`);
});
