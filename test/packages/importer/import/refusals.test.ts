import { useApi } from '../../../support/api.ts';
import { buildArticle, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { noise } from '../../../support/images.ts';
import { closeReceivers, httpReceiver } from '../../../support/receivers.ts';
import type { Receiver } from '../../../support/receivers.ts';
import { closeProxies, startApiProxy } from './api-proxy.ts';
import { buildFile, endImports, entry, importFile, runImport } from './importer.ts';

const api = await useApi();
let tenant: Tenant;
let blog: Receiver;

beforeAll(async () => {
  const image = await noise(8, 8).png().toBuffer();
  blog = await httpReceiver((_, response) => response.writeHead(200).end(image));
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
});
afterEach(async () => {
  await endImports();
  await closeProxies();
});
afterAll(async () => {
  await closeReceivers();
});

const run = (parts: object, baseUrl = `${api.origin}/v1`, ...more: string[]) =>
  runImport([
    buildFile(importFile(parts)),
    '--base-url',
    baseUrl,
    '--key',
    tenant.secretKey,
    '--allow-private-images',
    ...more,
  ]);

const count = async (table: string): Promise<number> =>
  (await api.db.pool.query(`select from ${table} where site_id = $1`, [tenant.siteId])).rowCount ?? 0;

const counts = async (): Promise<number[]> =>
  Promise.all(
    ['articles', 'media_assets', 'upload_reservations', 'authors', 'categories', 'tags'].map(count),
  );

const long = (length: number): string => 'x'.repeat(length);

/** Entries that are refused, each for one reason, with its field. */
const refused: readonly [what: string, values: object, field: string][] = [
  ['no external id', { external_id: undefined }, 'external_id'],
  ['an external id of null', { external_id: null }, 'external_id'],
  ['an empty external id', { external_id: '' }, 'external_id'],
  ['a number as external id', { external_id: 7 }, 'external_id'],
  ['a long external id', { external_id: long(256) }, 'external_id'],
  ['no status', { status: undefined }, 'status'],
  ['another status', { status: 'scheduled' }, 'status'],
  ['a published one without a title', { title: undefined }, 'title'],
  ['a published one with a blank title', { title: ' \n' }, 'title'],
  ['a published one with a title of null', { title: null }, 'title'],
  ['a published one without a slug', { slug: undefined }, 'slug'],
  ['a published one without content', { content: undefined }, 'content'],
  ['a published one without its time', { published_at: undefined }, 'published_at'],
  ['a slug off the pattern', { slug: 'Not_A_Slug' }, 'slug'],
  ['a slug of a draft off the pattern', { slug: 'a--b', status: 'draft' }, 'slug'],
  ['a time in the future', { published_at: '2999-01-01T00:00:00Z' }, 'published_at'],
  ['a time without an offset', { published_at: '2020-01-01T00:00:00' }, 'published_at'],
  ['a day that is none', { published_at: '2020-02-30T00:00:00Z' }, 'published_at'],
  ['an update before the publication', { content_updated_at: '2019-01-01T00:00:00Z' }, 'content_updated_at'],
  ['an update in the future', { content_updated_at: '2999-01-01T00:00:00Z' }, 'content_updated_at'],
  ['a person’s origin', { origin: 'person' }, 'origin'],
  ['an unknown format', { format: 'sonnet' }, 'format'],
  ['an unknown author', { author: 'nobody' }, 'author'],
  ['an unknown category', { category: 'nowhere' }, 'category'],
  ['an unknown tag', { tags: ['known', 'nothing'] }, 'tags.1'],
  ['a name every object has as a tag', { tags: ['__proto__'] }, 'tags.0'],
  ['a name every object has as a category', { category: 'constructor' }, 'category'],
  ['tags that are no list', { tags: 'known' }, 'tags'],
  ['a long title', { title: long(301) }, 'title'],
  ['a long content', { content: long(900_001) }, 'content'],
  ['a content that no request can carry', { content: '日'.repeat(400_000) }, 'content'],
  ['a long excerpt', { excerpt: long(2_001) }, 'excerpt'],
  ['a long SEO title', { seo_title: long(301) }, 'seo_title'],
  ['a long SEO description', { seo_description: long(1_001) }, 'seo_description'],
  ['a content of another type', { content: 5 }, 'content'],
  ['half a surrogate pair', { title: 'a\ud800b' }, 'title'],
  ['half a surrogate pair inside a list', { key_takeaways: ['a', '\udc00'] }, 'key_takeaways.1'],
  ['U+0000', { content: 'a\u0000b' }, 'content'],
  ['a featured image that is no address', { featured_image: { url: '/a.png' } }, 'featured_image.url'],
  [
    'a long alternative text',
    { featured_image: { url: 'https://a.example/a.png', alt: long(1_001) } },
    'featured_image.alt',
  ],
  ['a question without an answer', { faqs: [{ question: 'Why?' }] }, 'faqs.0.answer'],
  ['an unknown member of a question', { faqs: [{ question: '?', answer: '!', a: 1 }] }, 'faqs.0.a'],
  [
    'a name every object has',
    { faqs: [JSON.parse('{"question":"?","answer":"!","__proto__":1}')] },
    'faqs.0.__proto__',
  ],
  [
    'a step whose image is no address',
    { howto_steps: [{ name: 'n', text: 't', image_url: 'x' }] },
    'howto_steps.0.image_url',
  ],
  [
    'a row of another length',
    { comparison: { columns: ['a', 'b'], rows: [{ label: 'c', values: ['d'] }] } },
    'comparison.rows.0.values',
  ],
  ['101 takeaways', { key_takeaways: Array(101).fill('a') }, 'key_takeaways'],
  ['nesting without end', { faqs: JSON.parse('['.repeat(500) + ']'.repeat(500)) }, 'faqs.0'],
];

test('a refused entry is reported with its field, leaves nothing behind, and does not stop the others', async () => {
  const image = `${blog.url}/refused.png`;
  const wrong = refused.map(([, values]) =>
    entry({
      content: `![a](${image})`,
      author: 'ann',
      category: 'refused',
      tags: ['refused'],
      ...values,
    }),
  );
  const parts = {
    authors: [{ ref: 'ann', name: 'Ann', avatar_url: image }],
    categories: [{ slug: 'refused', name: 'Refused' }],
    tags: [
      { slug: 'refused', name: 'Refused' },
      { slug: 'known', name: 'Known' },
    ],
    articles: [...wrong, entry({ tags: ['known'] }), null, 'text', []],
  };
  const { code, report, err } = await run(parts);
  expect(code).toBe(1);
  const found = report.refused.map(({ index, reasons }) => [
    refused[index]?.[0] ?? 'no object',
    reasons[0]?.field,
  ]);
  const none = ['no object', 'external_id'];
  expect(found).toEqual([...refused.map(([what, , field]) => [what, field]), none, none, none]);
  refused.forEach(([, , field], index) => expect(err).toContain(`articles[${index}].${field}: `));
  expect(report).toMatchObject({ created: 1, images: { copied: 0, failed: [] } });
  expect(await counts()).toEqual([1, 0, 0, 0, 0, 1]);
  expect(blog.seen).toHaveLength(0);
});

test('all mistakes of an entry are reported at once', async () => {
  const articles = [
    entry({ slug: 'A', published_at: '2999-01-01T00:00:00Z', category: 'none', title: long(301) }),
  ];
  const { report } = await run({ articles });
  const fields = report.refused[0]?.reasons.map(({ field }) => field);
  expect(fields?.toSorted()).toEqual(['category', 'published_at', 'slug', 'title']);
});

test('of entries with the same external id or slug, the first that is otherwise valid is imported', async () => {
  const articles = [
    entry({ external_id: 'a', slug: 'one' }),
    entry({ external_id: 'a', slug: 'two' }),
    entry({ external_id: 'b', slug: 'one' }),
    entry({ external_id: 'c', slug: 'three', author: 'nobody' }),
    entry({ external_id: 'c', slug: 'three' }),
    entry({ external_id: 'd', slug: 'three', status: 'draft' }),
  ];
  const { report } = await run({ articles });
  expect(report.created).toBe(2);
  expect(report.refused.map(({ index, reasons }) => [index, reasons[0]?.field])).toEqual([
    [1, 'external_id'],
    [2, 'slug'],
    [3, 'author'],
    [4, 'external_id'],
  ]);
});

test('a slug of the Site counts as taken, and its categories and tags can be used', async () => {
  await buildArticle(api, tenant.secretKey, { slug: 'mine' });
  await buildTerm(api, tenant.secretKey, 'categories', { name: 'News' });
  await buildTerm(api, tenant.secretKey, 'tags', { name: 'Bread' });
  const articles = [entry({ slug: 'mine' }), entry({ category: 'news', tags: ['bread'] })];
  const { report } = await run({ articles });
  expect(report.created).toBe(1);
  expect(report.refused).toMatchObject([{ index: 0, reasons: [{ field: 'slug' }] }]);
});

test('an author, category or tag that cannot be created refuses the entries that name it', async () => {
  const parts = {
    authors: [{ ref: 'a', name: '' }],
    categories: [{ slug: 'No', name: 'No' }],
    tags: [{ slug: 'no' }],
    articles: [entry({ author: 'a' }), entry({ category: 'No' }), entry({ tags: ['no'] }), entry()],
  };
  const { report, err } = await run(parts);
  expect(report.created).toBe(1);
  expect(report.refused.map(({ reasons }) => reasons.map(({ field }) => field))).toEqual([
    ['author'],
    ['category'],
    ['tags.0'],
  ]);
  expect(err).toContain('articles[0].author: cannot be created: authors[0].name: must not be empty');
});

test('an entry whose slug is taken in the meantime is refused, and objects created only for it are deleted', async () => {
  let taken: Promise<void> | undefined;
  const proxy = await startApiProxy(api.origin, ({ method, path, body }) => {
    if (method !== 'POST' || path !== '/v1/articles' || !body.includes('"contested"')) return 'pass';
    taken ??= buildArticle(api, tenant.secretKey, { slug: 'contested' });
    return { after: taken, answered: () => 'give' };
  });
  const images = ['one.png', 'both.png'].map((name) => `![a](${blog.url}/${name})`);
  const { code, report } = await run(
    {
      authors: [
        { ref: 'ann', name: 'Ann', avatar_url: `${blog.url}/ann.png` },
        { ref: 'bo', name: 'Bo' },
      ],
      categories: [{ slug: 'alone', name: 'Alone' }],
      tags: [
        { slug: 'alone', name: 'Alone' },
        { slug: 'both', name: 'Both' },
      ],
      articles: [
        entry({
          slug: 'contested',
          content: images.join(),
          author: 'ann',
          category: 'alone',
          tags: ['alone', 'both'],
        }),
        entry({ content: images[1], author: 'bo', tags: ['both'] }),
      ],
    },
    proxy.baseUrl,
  );
  expect(code).toBe(1);
  expect(report).toMatchObject({ created: 1, refused: [{ index: 0, reasons: [{ field: 'slug' }] }] });
  // Including the article that took the slug.
  const [articles, media, , authors, categories, tags] = await counts();
  expect([articles, media, authors, categories, tags]).toEqual([2, 1, 1, 0, 1]);
});

test('a draft that cannot be published in the end is deleted', async () => {
  const proxy = await startApiProxy(api.origin, ({ path }) =>
    path.endsWith('/publish')
      ? {
          status: 422,
          body: '{"error":{"code":"VALIDATION_FAILED","message":"No.","fields":{"published_at":"no"}}}',
        }
      : 'pass',
  );
  const { code, report } = await run({ articles: [entry()] }, proxy.baseUrl);
  expect(code).toBe(1);
  expect(report.refused).toMatchObject([{ reasons: [{ field: 'published_at', message: 'no' }] }]);
  expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);
});
