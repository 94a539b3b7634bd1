import { buildKey, buildTenant, buildTerm } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { useApi } from '../../support/api.ts';
import { indexAll } from '../../support/search.ts';

const api = await useApi({}, { ownDatabase: 'the articles of all Sites are indexed' });

const listed = async (query: string, key: string) => {
  const answer = await api.request('GET', `/articles?${query}`, { key });
  expect(answer.status).toBe(200);
  return answer.data as { items: { id: string }[]; next_cursor: string | null };
};

describe('lists', () => {
  let category: string;
  let site: Tenant;
  const orders = [
    'updated_at.desc',
    'updated_at.asc',
    'published_at.desc',
    'published_at.asc',
    'created_at.desc',
  ];
  const filters = [
    '',
    '&status=published',
    '&status=draft&status=scheduled',
    'category',
    '&slug=number-7',
    '&external_id=e7',
  ];
  const searches = ['number', 'rare', 'seventh', 'number -rare', '"text of"', 'rare or seventh', 'num'];

  beforeAll(async () => {
    site = await buildTenant(api.db);
    for (const order of orders) keys.set(order, (await buildKey(api.db, site.siteId, site.memberId)).secret);
    category = (await buildTerm(api, site.secretKey, 'categories')).id;
    await api.db.pool.query(
      `insert into articles (id, site_id, status, title, slug, content, category_id, external_id, published_at, created_at, updated_at)
       select uuidv7(n * interval '-1 minute'), $1, case when n % 3 = 0 then 'published' else 'draft' end, 'Number ' || n, 'number-' || n,
         'Text of it' || case when n % 40 = 0 then ' rare' else '' end || case when n % 7 = 0 then ' seventh' else '' end,
         case when n % 2 = 0 then $2::uuid end, 'e' || n % 10,
         case when n % 3 = 0 then now() - (n % 50) * interval '1 minute' end,
         now() - n * interval '1 minute', now() - (n * 7 % 601) * interval '1 second'
       from generate_series(1, 600) n`,
      [site.siteId, category],
    );
    await indexAll(api);
    // Some are read, most are looked up.
    await api.db.pool.query(`update articles set excerpt = 'Read' where site_id = $1 and title like '%9'`, [
      site.siteId,
    ]);
  });

  const parametersOf = (filter: string): string =>
    filter === 'category' ? `&category_id=${category}` : filter;
  /** Each order has its key, or they would exceed its rate. */
  const keys = new Map<string, string>();
  const pagesOf = async (query: string, order = ''): Promise<string[]> => {
    const ids: string[] = [];
    let cursor = '';
    do {
      const page = await listed(`limit=23${query}${cursor}`, keys.get(order) ?? site.secretKey);
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    return ids;
  };
  const isFound: Record<string, (text: string) => boolean> = {
    number: () => true,
    num: () => true,
    '"text of"': () => true,
    rare: (text) => text.includes('rare'),
    seventh: (text) => text.includes('seventh'),
    'number -rare': (text) => !text.includes('rare'),
    'rare or seventh': (text) => text.includes('rare') || text.includes('seventh'),
  };

  test.each(orders.flatMap((order) => filters.map((filter) => [order, filter] as const)))(
    'by %s with %s: the pages of a search are those of the list, without what does not match',
    async (order, filter) => {
      const rest = `&order=${order}${parametersOf(filter)}`;
      const all = await pagesOf(rest, order);
      const { rows } = await api.db.pool.query('select id, content from articles where id = any($1)', [all]);
      const content = new Map(rows.map((row) => [row.id as string, row.content as string]));
      for (const q of searches) {
        const expected = all.filter((id) => isFound[q]?.(content.get(id) ?? ''));
        expect(await pagesOf(`${rest}&q=${encodeURIComponent(q)}`, order)).toEqual(expected);
      }
    },
  );

  test('a search may ask for long members', async () => {
    const { items } = await listed('q=rare&fields=title,content&limit=5', site.secretKey);
    expect(items).toHaveLength(5);
    const all = await pagesOf('&q=rare');
    expect(await pagesOf('&q=rare&fields=content')).toEqual(all);
  });

  test('a cursor belongs to its search', async () => {
    const { next_cursor: cursor } = await listed('q=seventh&limit=2', site.secretKey);
    const other = await api.request('GET', `/articles?q=rare&limit=2&cursor=${cursor}`, {
      key: site.secretKey,
    });
    expect(other.status).toBe(400);
  });
});
