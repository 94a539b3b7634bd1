import { createSlots } from '../../../../packages/base/slots.ts';
import { closeReceivers, httpReceiver } from '../../../support/receivers.ts';
import type { Receiver } from '../../../support/receivers.ts';
import { startApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { buildKey, buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { noise } from '../../../support/images.ts';
import { closeProxies, startApiProxy } from './api-proxy.ts';
import type { Passage, Passing } from './api-proxy.ts';
import { endPrograms, startProgram } from '../../../support/program.ts';
import { buildFile, endImports, entry, importFile, runImport } from './importer.ts';

let api: TestApi;
let blog: Receiver;

beforeAll(async () => {
  api = await startApi();
  const image = await noise(8, 8).png().toBuffer();
  blog = await httpReceiver((_, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(image),
  );
});
afterEach(async () => {
  endPrograms();
  await endImports();
  await closeProxies();
});
afterAll(async () => {
  await closeReceivers();
  await api.close();
});

const at = (name: string): string => `${blog.url}/${name}`;

/** Every kind of thing that an import creates. */
const small = (): object =>
  importFile({
    authors: [{ ref: 'ann', name: 'Ann', avatar_url: at('ann.png') }],
    categories: [{ slug: 'news', name: 'News' }],
    tags: [{ slug: 'bread', name: 'Bread' }],
    articles: [
      entry({
        external_id: 'first',
        slug: 'first',
        content: `![one](${at('one.png')})`,
        featured_image: { url: at('two.png'), alt: 'Two' },
        author: 'ann',
        category: 'news',
        tags: ['bread'],
        content_updated_at: '2021-01-01T00:00:00Z',
      }),
      entry({ external_id: 'second', slug: 'second', content: `![one](${at('one.png')})`, author: 'ann' }),
      entry({ external_id: 'third', slug: 'third', status: 'draft', tags: ['bread'] }),
    ],
  });

/** The Site's content after the small import, whatever happened during it. */
const whole = {
  articles: [
    ['first', 'published', '2020-01-02T03:04:05.000Z', '2021-01-01T00:00:00.000Z'],
    ['second', 'published', '2020-01-02T03:04:05.000Z', undefined],
    ['third', 'draft', undefined, undefined],
  ],
  old: 0,
  images: ['ann', 'one', 'two'],
  authors: ['Ann'],
  categories: ['news'],
  tags: ['bread'],
  events: 2,
};

async function contentOf({ siteId }: Tenant): Promise<typeof whole> {
  const rows = async (text: string): Promise<any[]> => (await api.db.pool.query(text, [siteId])).rows;
  const articles = await rows('select * from articles where site_id = $1 order by external_id');
  const images = await rows('select file_name from media_assets where site_id = $1 order by 1');
  return {
    articles: articles.map((row) => [
      row.external_id,
      row.status,
      row.published_at?.toISOString(),
      row.content_updated_at?.toISOString(),
    ]),
    old: articles.filter((row) => `${row.content}${row.featured_image_url}`.includes(blog.url)).length,
    images: images.map(({ file_name: name }) => name.slice(0, 3)),
    authors: (await rows('select name from authors where site_id = $1')).map(({ name }) => name),
    categories: (await rows('select slug from categories where site_id = $1')).map(({ slug }) => slug),
    tags: (await rows('select slug from tags where site_id = $1')).map(({ slug }) => slug),
    events: (await rows('select from events where site_id = $1')).length,
  };
}

const command = (path: string, baseUrl: string, { secretKey }: Tenant, ...more: string[]): string[] => [
  path,
  '--base-url',
  baseUrl,
  '--key',
  secretKey,
  '--allow-private-images',
  ...more,
];

/** Whether a request writes, and does not just probe the key's rights. */
const isWrite = ({ method, body }: Passing): boolean => method !== 'GET' && body !== '[]';

/** What happens to the request at which the import is killed. */
type Kill = 'it never gets there' | 'its answer never comes' | 'it gets there while the next import runs';

async function killAndResume(path: string, kill: Kill, number: number): Promise<typeof whole> {
  const tenant = await buildTenant(api.db);
  const sign = (passing: Passing): string => `${passing.method} ${passing.path}`;
  const killed = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  let fatal: Passing | null = null;
  let writes = 0;
  const decide = (passing: Passing): Passage => {
    if (!isWrite(passing)) return 'pass';
    if (fatal !== null) {
      // The late request and the next import's race to the API.
      if (sign(passing) === sign(fatal)) resumed.resolve();
      return 'pass';
    }
    if ((writes += 1) !== number) return 'pass';
    fatal = passing;
    if (kill !== 'its answer never comes') killed.resolve();
    if (kill === 'it never gets there') return 'hold';
    const answered = (): 'hold' => {
      killed.resolve();
      late.resolve();
      return 'hold';
    };
    return kill === 'its answer never comes' ? { answered } : { after: resumed.promise, answered };
  };
  const proxy = await startApiProxy(api.origin, decide);
  const args = command(path, proxy.baseUrl, tenant, '--concurrency', '1');
  const first = startProgram(['import', ...args]);
  await killed.promise;
  first.kill('SIGKILL');
  expect(await first.ended).toBeNull();
  const { code, report, err } = await runImport(args);
  expect([err, code]).toEqual([expect.anything(), 0]);
  expect(report.created + report.completed + report.unchanged).toBe(3);
  expect(report.images.copied + report.images.reused).toBe(3);
  resumed.resolve();
  if (kill !== 'it never gets there') await late.promise;
  return await contentOf(tenant);
}

test('an import writes each object once, and a second run writes nothing', async () => {
  const tenant = await buildTenant(api.db);
  const proxy = await startApiProxy(api.origin);
  const args = command(buildFile(small()), proxy.baseUrl, tenant);
  const first = await runImport(args);
  expect(first).toMatchObject({ code: 0, report: { created: 3, images: { copied: 3, reused: 0 } } });
  expect(await contentOf(tenant)).toEqual(whole);
  expect(proxy.seen.filter(isWrite)).toHaveLength(14);
  const again = await runImport(args);
  const images = { copied: 0, reused: 3, failed: [] };
  expect(again.report).toEqual({ created: 0, completed: 0, unchanged: 3, refused: [], images });
  expect(again.code).toBe(0);
  expect(proxy.seen.filter(isWrite)).toHaveLength(14);
});

test.each<Kill>([
  'it never gets there',
  'its answer never comes',
  'it gets there while the next import runs',
])(
  'killed at any request that writes (%s) and run again: nothing is duplicated, and nothing is missing',
  async (kill) => {
    const path = buildFile(small());
    const inTurn = createSlots(3);
    const found = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        inTurn(async () => [index + 1, await killAndResume(path, kill, index + 1)]),
      ),
    );
    expect(found).toEqual(found.map(([number]) => [number, whole]));
  },
  300_000,
);

test('two concurrent imports of one file write each object once', async () => {
  const tenant = await buildTenant(api.db);
  const args = command(buildFile(small()), `${api.origin}/v1`, tenant);
  const both = await Promise.all([runImport(args), runImport(args)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await contentOf(tenant)).toEqual(whole);
});

test('500 articles with 200 images, killed half-way twice and run again: each exists once', async () => {
  const tenant = await buildTenant(api.db);
  const keys: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    keys.push((await buildKey(api.db, tenant.siteId, tenant.memberId)).secret);
  }
  const articles = Array.from({ length: 500 }, (_, index) =>
    entry({
      external_id: `large-${index}`,
      slug: `large-${index}`,
      status: index % 5 === 4 ? 'draft' : 'published',
      content: `![a](${at(`large-${index % 200}.png`)})`,
      category: `category-${index % 7}`,
      tags: [`tag-${index % 11}`, `tag-${(index + 1) % 11}`],
      author: `author-${index % 3}`,
    }),
  );
  const terms = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ slug: `${name}-${index}`, name: `${name} ${index}` }));
  const authors = terms('author', 3).map(({ slug, name }) => ({ ref: slug, name }));
  const path = buildFile(
    importFile({ articles, authors, categories: terms('category', 7), tags: terms('tag', 11) }),
  );
  let stopAt = 500;
  let reached = Promise.withResolvers<void>();
  const proxy = await startApiProxy(
    api.origin,
    (_, count) => {
      if (count === stopAt) reached.resolve();
      return 'pass';
    },
    keys,
  );
  const args = command(path, proxy.baseUrl, tenant, '--concurrency', '8');
  for (let kills = 0; kills < 2; kills += 1) {
    const importer = startProgram(['import', ...args]);
    await reached.promise;
    importer.kill('SIGKILL');
    await importer.ended;
    reached = Promise.withResolvers();
    stopAt = proxy.seen.length + 500;
  }
  const { code, report } = await runImport(args);
  expect(code).toBe(0);
  expect(report.created + report.completed + report.unchanged).toBe(500);
  expect(report.created).toBeLessThan(500);
  expect(report.images.copied + report.images.reused).toBe(200);
  const count = async (text: string): Promise<number[]> =>
    (await api.db.pool.query(`select ${text} where site_id = $1`, [tenant.siteId])).rows
      .flatMap(Object.values)
      .map(Number);
  expect(await count('count(*), count(distinct external_id) as different from articles')).toEqual([500, 500]);
  expect(await count('count(*), count(distinct file_name) as different from media_assets')).toEqual([
    200, 200,
  ]);
  expect(await count('count(*), count(distinct name) as different from authors')).toEqual([3, 3]);
  expect(await count('count(*) from categories')).toEqual([7]);
  expect(await count('count(*) from tags')).toEqual([11]);
  expect(await count(`count(*) filter (where status = 'published') from articles`)).toEqual([400]);
  expect(await count(`count(*) filter (where event = 'article.published') from events`)).toEqual([400]);
  expect(await count(`count(*) filter (where content like '%${blog.url}%') from articles`)).toEqual([0]);
}, 300_000);
