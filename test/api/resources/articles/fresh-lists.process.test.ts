import { startApi } from '../../../support/api.ts';
import type { Answer, TestApi } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';
import { endApis, spawnApi } from '../../processes.ts';
import type { ApiProcess } from '../../processes.ts';

/** The API that makes changes. */
let api: TestApi;
/** The API that reads lists: it has not made the changes itself. */
let reader: ApiProcess;
let tenant: Tenant;
let terms: Record<'categories' | 'tags' | 'authors', { id: string }>;
let articles: { id: string }[];

beforeAll(async () => {
  api = await startApi();
  reader = await spawnApi(api.url);
});
afterAll(async () => {
  endApis();
  await api.close();
});
beforeEach(async () => {
  tenant = await buildTenant(api.db);
  const term = (kind: 'categories' | 'tags' | 'authors') => buildTerm(api, tenant.secretKey, kind);
  terms = { categories: await term('categories'), tags: await term('tags'), authors: await term('authors') };
  const { categories: category, tags: tag, authors: author } = terms;
  const values = { content: 'Text', category_id: category.id, tag_ids: [tag.id], author_id: author.id };
  articles = [];
  for (let index = 0; index < 7; index += 1) {
    const build = index % 2 === 0 ? buildPublished : buildArticle;
    articles.push(await build(api, tenant.secretKey, { title: `Number ${index}`, ...values }));
  }
});

const write = (method: string, path: string, body?: unknown): Promise<Answer> =>
  api.request(method, path, {
    key: tenant.secretKey,
    body,
    ...(method === 'POST' && { idempotencyKey: true }),
  });

const all =
  'fields=id,title,slug,status,tag_ids,category_id,author_id,scheduled_publish_at,updated_at,published_at';
/** A cached list, and one of the same articles that is not cached, because it filters by status. */
const lists: readonly (readonly [kept: string, asked: string, publishable?: true])[] = [
  [`limit=5&${all}`, `limit=5&${all}&status=draft&status=published&status=scheduled`],
  ['limit=3', 'limit=3&status=draft&status=published&status=scheduled'],
  ['status=draft', 'status=draft&status=failed'],
  ['order=published_at.desc&status=published', 'order=published_at.desc&status=published&status=failed'],
  ['order=updated_at.asc', 'order=updated_at.asc&status=published&status=failed', true],
];

async function itemsOf(query: string, key: string): Promise<unknown> {
  const answer = await api.request('GET', `${reader.origin}/v1/articles?${query}`, { key });
  expect(answer.status).toBe(200);
  return answer.data.items;
}

async function showsWhatIs(): Promise<void> {
  for (const [kept, asked, publishable] of lists) {
    const truth = await itemsOf(asked, tenant.secretKey);
    const key = publishable ? tenant.publishableKey : tenant.secretKey;
    expect([kept, await itemsOf(kept, key)]).toEqual([kept, truth]);
  }
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const first = () => articles[0]?.id as string;
const draft = () => articles[1]?.id as string;

test.each<[string, () => Promise<Answer>]>([
  ['an article is created', () => write('POST', '/articles', { title: 'New' })],
  ['a title is changed', () => write('PATCH', `/articles/${first()}`, { title: 'Another' })],
  ['tags alone are changed', () => write('PATCH', `/articles/${first()}`, { tag_ids: [] })],
  ['an article is published', () => write('POST', `/articles/${draft()}/publish`)],
  ['an article is unpublished', () => write('POST', `/articles/${first()}/unpublish`)],
  [
    'an article is scheduled',
    () => write('POST', `/articles/${draft()}/schedule`, { scheduled_publish_at: inAnHour() }),
  ],
  ['an article is deleted', () => write('DELETE', `/articles/${first()}`)],
  ['a category is deleted', () => write('DELETE', `/categories/${terms.categories.id}`)],
  ['a tag is deleted', () => write('DELETE', `/tags/${terms.tags.id}`)],
  ['an author is deleted', () => write('DELETE', `/authors/${terms.authors.id}`)],
])('once %s, no process returns the old list', async (_what, change) => {
  // Requested often enough to be cached.
  for (let times = 0; times < 3; times += 1) await showsWhatIs();
  expect((await change()).status).toBeLessThan(300);
  for (let times = 0; times < 3; times += 1) await showsWhatIs();
});

test('while articles change all the time, a read after a change shows it', async () => {
  const changing = new AbortController();
  const others = articles.slice(1).map(async ({ id }) => {
    const statement =
      'update articles set title = title || $2, version = version + 1, updated_at = now() where id = $1';
    while (!changing.signal.aborted) await api.db.pool.query(statement, [id, '.']);
  });
  for (let times = 0; times < 60; times += 1) {
    const title = `Change ${times}`;
    expect((await write('PATCH', `/articles/${first()}`, { title })).status).toBe(200);
    const shown = (await itemsOf('limit=100', tenant.secretKey)) as { id: string; title: string }[];
    expect(shown.find(({ id }) => id === first())?.title).toBe(title);
  }
  changing.abort();
  await Promise.all(others);
});

test('the next page continues where the page ended, cached or not', async () => {
  const page = async (query: string) =>
    (await api.request('GET', `${reader.origin}/v1/articles?${query}`, { key: tenant.secretKey })).data;
  for (let times = 0; times < 3; times += 1) {
    const start = await page('limit=4');
    const rest = await page(`limit=4&cursor=${start.next_cursor}`);
    const ids = [...start.items, ...rest.items].map(({ id }: { id: string }) => id);
    expect([ids, rest.next_cursor]).toEqual([articles.map(({ id }) => id).toReversed(), null]);
  }
});
