import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { buildTenant } from '../support/builders.ts';
import type { Tenant } from '../support/builders.ts';
import { endApis, spawnApi } from './processes.ts';

const MIB = 1_048_576;

let api: TestApi;
let tenant: Tenant;

beforeAll(async () => {
  api = await startApi();
  tenant = await buildTenant(api.db);
});
afterAll(async () => {
  endApis();
  await api.close();
});

interface Page {
  readonly items: readonly { readonly id?: string; readonly version?: number }[];
  readonly next_cursor: string | null;
}

async function read(path: string, key = tenant.secretKey, origin = api.origin): Promise<Page> {
  const answer = await fetch(`${origin}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: Page }).data;
}

/** All pages of a list. */
async function walk(path: string, key?: string): Promise<readonly Page[]> {
  const pages = [await read(path, key)];
  for (let next = pages[0]?.next_cursor; next; next = pages.at(-1)?.next_cursor)
    pages.push(await read(`${path}${path.includes('?') ? '&' : '?'}cursor=${next}`, key));
  return pages;
}

const weightOf = ({ items }: Page): number =>
  items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);

/** Pages have at most 8 MiB, and no page but the last has room for another item. */
function expectFull(pages: readonly Page[]): void {
  for (const [index, page] of pages.entries()) {
    expect(weightOf(page)).toBeLessThanOrEqual(8 * MIB);
    const [next] = pages[index + 1]?.items ?? [];
    if (next !== undefined && page.items.length < 100)
      expect(weightOf(page) + Buffer.byteLength(JSON.stringify(next))).toBeGreaterThan(8 * MIB);
  }
}

/** Articles, every other one heavy; some were updated at the same time. */
const fill = (siteId: string, count: number, characters: number): Promise<unknown> =>
  api.db.pool.query(
    `insert into articles (id, site_id, status, title, slug, content, faqs, created_at, updated_at, published_at)
     select gen_random_uuid(), $1, case when n % 3 = 0 then 'draft' else 'published' end, 't' || n, 's' || n,
       case when n % 2 = 0 then '中' || repeat('a', $3 - 1) else 'short' end,
       case when n % 4 = 1 then (
         select jsonb_agg(jsonb_build_object('question', 'q' || m, 'answer', repeat('ä', 5000))) from generate_series(1, 60) m) end,
       now(), now() - (n / 3) * interval '1 minute', case when n % 3 <> 0 then now() - n * interval '1 hour' end
     from generate_series(1, $2::int) n`,
    [siteId, count, characters],
  );

test.each([
  'fields=content&order=updated_at.desc',
  'fields=content,faqs&order=updated_at.asc',
  'fields=content,title&order=published_at.desc',
  'fields=faqs&order=created_at.desc',
])('a walk by %s repeats and skips nothing, and each page ends at 8 MiB', async (query) => {
  const site = await buildTenant(api.db);
  await fill(site.siteId, 60, 900_000);
  const pages = await walk(`/articles?limit=100&${query}`, site.secretKey);
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
  const light = await walk(
    `/articles?limit=100&${query.replace(/fields=[^&]*/, 'fields=title')}`,
    site.secretKey,
  );
  expect(ids).toEqual(light.flatMap(({ items }) => items.map(({ id }) => id)));
  expectFull(pages);
});

test('light articles fill a page up to its limit, and the last page has no cursor', async () => {
  const site = await buildTenant(api.db);
  await fill(site.siteId, 120, 2);
  await api.db.pool.query('update articles set faqs = null where site_id = $1', [site.siteId]);
  const pages = await walk('/articles?fields=content&limit=100', site.secretKey);
  expect(pages.map(({ items }) => items.length)).toEqual([100, 20]);
  const even = await walk('/articles?fields=content&limit=60', site.secretKey);
  expect(even.map(({ items }) => items.length)).toEqual([60, 60]);
});

test('the cursor of a page that ended early continues a list with other fields', async () => {
  const site = await buildTenant(api.db);
  await fill(site.siteId, 30, 900_000);
  const first = await read('/articles?fields=content&limit=100', site.secretKey);
  const rest = await read(`/articles?limit=100&cursor=${first.next_cursor}`, site.secretKey);
  const ids = [...first.items, ...rest.items].map(({ id }) => id);
  expect(new Set(ids).size).toBe(30);
});

test('pages of events end by weight, too', async () => {
  const site = await buildTenant(api.db);
  await api.db.pool.query(
    `insert into events (id, site_id, event, created_at, body)
     select e.id, $1, 'article.published', now() - n * interval '1 second', json_build_object(
       'id', e.id, 'event', 'article.published', 'created_at', '2026-01-01T00:00:00.000Z',
       'data', json_build_object('id', e.id, 'content', repeat('a', 700000)))::text
     from generate_series(1, 25) n, lateral (select gen_random_uuid() as id where n > 0) e`,
    [site.siteId],
  );
  const pages = await walk('/events?limit=100', site.secretKey);
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  expect([pages.length, new Set(ids).size]).toEqual([3, 25]);
  expectFull(pages);
});

test('pages of prompt versions do as well', async () => {
  const site = await buildTenant(api.db);
  await api.request('PATCH', '/pipeline/prompts/classify', { key: site.secretKey, body: { template: 'x' } });
  await api.db.pool.query(
    `insert into prompt_versions (site_id, stage, version, template, created_at)
     select $1, 'classify', n, repeat('中', 50000), now() from generate_series(2, 90) n`,
    [site.siteId],
  );
  const pages = await walk('/pipeline/prompts/classify/versions?limit=100', site.secretKey);
  const versions = pages.flatMap(({ items }) => items.map(({ version }) => version));
  expect(versions).toEqual(Array.from({ length: 90 }, (_, index) => 90 - index));
  expectFull(pages);
});

test('a process of 256 MB survives four concurrent pages of 100 articles of 900,000 wide characters', async () => {
  const site = await buildTenant(api.db);
  await fill(site.siteId, 200, 900_000);
  await api.db.pool.query("delete from articles where site_id = $1 and content = 'short'", [site.siteId]);
  const small = await spawnApi(api.url, undefined, ['--max-old-space-size=256']);
  const ask = (): Promise<Page> =>
    read('/articles?fields=content,faqs&limit=100', site.secretKey, small.origin);
  for (let round = 0; round < 3; round += 1) {
    const pages = await Promise.all([ask(), ask(), ask(), ask()]);
    for (const page of pages) expect(page.items.length).toBe(9);
  }
  expect(small.isAlive()).toBe(true);
  await small.kill();
});
