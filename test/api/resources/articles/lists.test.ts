import { useApi } from '../../../support/api.ts';
import type { Answer } from '../../../support/api.ts';
import { buildArticle, buildPublished, buildTenant, buildTerm } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;
let category: { id: string };
let tag: { id: string };
let author: { id: string };

const orders = [
  'updated_at.desc',
  'updated_at.asc',
  'published_at.desc',
  'published_at.asc',
  'created_at.desc',
] as const;

beforeAll(async () => {
  tenant = await buildTenant(api.db);
  category = await buildTerm(api, tenant.secretKey, 'categories');
  tag = await buildTerm(api, tenant.secretKey, 'tags');
  author = await buildTerm(api, tenant.secretKey, 'authors');
  for (let index = 0; index < 23; index += 1) {
    const build = index % 3 === 0 ? buildArticle : buildPublished;
    const terms = index % 2 ? { category_id: category.id, tag_ids: [tag.id], author_id: author.id } : {};
    await build(api, tenant.secretKey, { title: `Number ${index}`, external_id: `e${index % 5}`, ...terms });
  }
  // Several rows with the same time, so that the id decides.
  await api.db.pool.query(
    "update articles set published_at = '2020-01-01' where published_at is not null and length(title) = 9",
  );
});

const list = (query: string, key = tenant.secretKey): Promise<Answer> =>
  api.request('GET', `/articles?${query}`, { key });

interface Item {
  id: string;
  status: string;
  published_at: string | null;
  updated_at: string;
  created_at: string;
}

async function walk(query: string, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ;) {
    const { data } = await list(`${query}&limit=${limit}${cursor}`);
    items.push(...(data.items as Item[]));
    if (data.next_cursor === null) return items;
    cursor = `&cursor=${data.next_cursor}`;
  }
}

test.each(orders)('a walk in the order %s shows every row once, in order, nulls last', async (order) => {
  const [column, direction] = order.split('.') as ['updated_at' | 'published_at' | 'created_at', string];
  const items = await walk(`order=${order}`, 4);
  expect(new Set(items.map(({ id }) => id)).size).toBe(23);
  const keys = items.map((item) => item[column]);
  const known = keys.filter((key) => key !== null);
  expect(keys.slice(known.length).every((key) => key === null)).toBe(true);
  const sorted = known.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  expect(known).toEqual(direction === 'asc' ? sorted : sorted.toReversed());
  expect(await walk(`order=${order}`, 100)).toEqual(items);
});

test('the default order is updated_at.desc, the default page twenty rows of the default projection', async () => {
  const { data } = await list('');
  expect(data.items).toHaveLength(20);
  expect(Object.keys(data.items[0])).toEqual([
    'id',
    'status',
    'title',
    'slug',
    'excerpt',
    'featured_image_url',
    'category_id',
    'author_id',
    'format_id',
    'origin',
    'published_at',
    'scheduled_publish_at',
    'created_at',
    'updated_at',
  ]);
  expect(data.items).toEqual((await walk('order=updated_at.desc', 100)).slice(0, 20));
});

test('fields choose members, id always among them, content and tags too', async () => {
  const { data } = await list('fields=content,tag_ids&limit=1');
  expect(Object.keys(data.items[0])).toEqual(['id', 'content', 'tag_ids']);
});

test('filters narrow the list, also in combination', async () => {
  const count = async (query: string): Promise<number> =>
    (await list(`limit=100&${query}`)).data.items.length;
  expect(await count(`category_id=${category.id}`)).toBe(11);
  expect(await count(`tag_id=${tag.id.toUpperCase()}`)).toBe(11);
  expect(await count(`author_id=${author.id}&status=draft`)).toBe(4);
  expect(await count('status=draft&status=draft')).toBe(8);
  expect(await count('status=draft&status=published')).toBe(23);
  expect(await count('slug=number-7')).toBe(1);
  expect(await count('external_id=e3')).toBe(4);
  expect(await count('category_id=0197a0c4-5c1e-7d30-9b64-2f1f0d3c8a11')).toBe(0);
});

test('updated_since with a returned value finds that row and later ones only', async () => {
  const all = await walk('order=updated_at.desc', 100);
  const since = all[Math.floor(all.length / 2)]?.updated_at ?? '';
  const { data } = await list(`limit=100&order=updated_at.desc&updated_since=${encodeURIComponent(since)}`);
  const wanted = all.filter(({ updated_at: at }) => (at ?? '') >= since);
  expect(wanted.length).toBeLessThan(all.length);
  expect(data.items.map(({ id }: Item) => id)).toEqual(wanted.map(({ id }) => id));
});

test('rows added during a walk neither repeat nor hide existing rows', async () => {
  const before = new Set((await walk('order=created_at.desc', 100)).map(({ id }) => id));
  const first = (await list('order=created_at.desc&limit=10')).data;
  await buildArticle(api, tenant.secretKey, { title: 'Meanwhile' });
  const rest: Item[] = [];
  for (let cursor = first.next_cursor as string | null; cursor !== null;) {
    const { data } = await list(`order=created_at.desc&limit=10&cursor=${cursor}`);
    rest.push(...(data.items as Item[]));
    cursor = data.next_cursor;
  }
  const seen = [...(first.items as Item[]), ...rest].map(({ id }) => id);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.filter((id) => before.has(id))).toHaveLength(before.size);
  await api.db.pool.query("delete from articles where title = 'Meanwhile'");
});

test('a cursor only continues its own list', async () => {
  const cursor = (await list('limit=2&status=draft')).data.next_cursor as string;
  const changed = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA');
  const other = await buildTenant(api.db);
  const answers = [
    await list(`limit=5&fields=title&status=draft&cursor=${cursor}`),
    await list(`status=draft&cursor=${changed}`),
    await list(`status=published&cursor=${cursor}`),
    await list(`status=draft&order=created_at.desc&cursor=${cursor}`),
    await list(`status=draft&cursor=${cursor}`, other.secretKey),
    await api.request('GET', `/categories?cursor=${cursor}`, { key: tenant.secretKey }),
    await list('cursor=made-up'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 400, 400, 400, 400]);
});

test.each([
  'limit=0',
  'limit=-1',
  'limit=1.5',
  'limit=ten',
  'fields=nothing',
  'fields=',
  'order=title.asc',
  'status=none',
  'category_id=1',
  'updated_since=yesterday',
  'page=2',
  'slug=%00',
  'slug=%ff',
])('%s is 400', async (query) => {
  expect((await list(query)).json.error.code).toBe('INVALID_REQUEST');
});

test('a limit above 100 is clamped', async () => {
  const site = await buildTenant(api.db);
  await api.db.pool.query(
    `insert into articles (id, site_id, status, title, created_at, updated_at)
     select gen_random_uuid(), $1, 'draft', 't', now(), now() from generate_series(1, 101)`,
    [site.siteId],
  );
  const { data } = await list('limit=100000', site.secretKey);
  expect([data.items.length, typeof data.next_cursor]).toEqual([100, 'string']);
});

test('a publishable key sees published articles, and may not ask for others', async () => {
  const { data } = await list('limit=100', tenant.publishableKey);
  expect(data.items).toHaveLength(15);
  expect((await list('status=published', tenant.publishableKey)).status).toBe(200);
  for (const status of ['draft', 'none']) {
    expect((await list(`status=${status}`, tenant.publishableKey)).json.error.code).toBe(
      'INSUFFICIENT_SCOPE',
    );
  }
});
