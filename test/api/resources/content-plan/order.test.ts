import { useApi } from '../../../support/api.ts';
import { buildTenant } from '../../../support/builders.ts';
import type { Tenant } from '../../../support/builders.ts';

const api = await useApi();
let tenant: Tenant;

beforeEach(async () => {
  tenant = await buildTenant(api.db);
});

interface Item {
  readonly id: string;
  readonly title: string;
  readonly rank: string;
}

const request = (method: string, path: string, body?: object) =>
  api.request(method, `/content-plan${path}`, { key: tenant.secretKey, body });
const plan = async (): Promise<readonly Item[]> => (await request('GET', '?limit=100')).data.items;
const titles = async () => (await plan()).map(({ title }) => title).join('');
const move = (item: Item, after: Item | null) =>
  request('PATCH', `/${item.id}`, { after: after === null ? null : after.id });

async function build(letters: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const title of letters) items.push((await request('POST', '', { title })).data);
  return items;
}

/** Items with these ranks, without a request for each. */
const buildRanked = (ranks: readonly string[]) =>
  api.db.pool.query(
    `insert into plan_items (id, site_id, title, status, rank, created_at, updated_at)
     select uuidv7(), $1, 'Item ' || n, 'idea', rank, now(), now() from unnest($2::text[]) with ordinality r (rank, n)`,
    [tenant.siteId, ranks],
  );

test('after moves an item behind another, or to the top, and changes no other item', async () => {
  const [a, b, c, d] = (await build('abcd')) as [Item, Item, Item, Item];
  const moved = await move(a, c);
  expect(moved.status).toBe(200);
  expect(moved.headers.get('etag')).toBe('W/"2"');
  expect(await titles()).toBe('bcad');
  await move(d, null);
  expect(await titles()).toBe('dbca');
  await move(d, a);
  expect(await titles()).toBe('bcad');
  const now = await plan();
  expect(now.find(({ id }) => id === b.id)?.rank).toBe(b.rank);
  expect(now.find(({ id }) => id === c.id)?.rank).toBe(c.rank);
  const ranks = now.map(({ rank }) => rank);
  expect(ranks).toEqual([...ranks].sort());
});

test('a move to where the item stands changes nothing, one behind itself is 422', async () => {
  const [a, b] = (await build('ab')) as [Item, Item];
  expect((await move(b, a)).headers.get('etag')).toBe('W/"1"');
  expect((await move(a, null)).headers.get('etag')).toBe('W/"1"');
  const itself = await move(a, a);
  expect([itself.status, itself.json.error.fields]).toEqual([
    422,
    { after: 'must be another item, or null for the top' },
  ]);
});

test('a move and other changes are one change', async () => {
  const [a, b] = (await build('ab')) as [Item, Item];
  const { data, headers } = await request('PATCH', `/${a.id}`, {
    after: b.id,
    title: 'z',
    status: 'approved',
  });
  expect([data.title, data.status, headers.get('etag')]).toEqual(['z', 'approved', 'W/"2"']);
  expect(await titles()).toBe('bz');
});

test('items moved and added at the same time all keep a rank of their own', async () => {
  const items = await build('abcdefghij');
  const [first] = items as [Item];
  const moves = items.slice(1).map((item) => move(item, first));
  const tops = items.slice(5).map((item) => move(item, null));
  const adds = [...'xyz'].map((title) => request('POST', '', { title }));
  for (const { status } of await Promise.all([...moves, ...tops, ...adds]))
    expect([200, 201]).toContain(status);
  const now = await plan();
  expect(now).toHaveLength(13);
  expect(new Set(now.map(({ rank }) => rank)).size).toBe(13);
  expect(
    now
      .slice(-3)
      .map(({ title }) => title)
      .sort(),
  ).toEqual(['x', 'y', 'z']);
});

test('ranks that have become long are given anew, in the same order and within their limit', async () => {
  const long = `V00000${'0'.repeat(93)}1`;
  await buildRanked(['V00000', long, `${long}1`.slice(0, 101), 'V00001']);
  const before = await plan();
  const [first, , , last] = before as [Item, Item, Item, Item];
  expect((await move(last, first)).status).toBe(200);
  const after = await plan();
  expect(after.map(({ title }) => title)).toEqual(['Item 1', 'Item 4', 'Item 2', 'Item 3']);
  expect(Math.max(...after.map(({ rank }) => rank.length))).toBeLessThan(10);
});

test('an item of 1,000 is moved by a change of one row', async () => {
  await buildRanked(Array.from({ length: 1_000 }, (_, index) => `V${String(index).padStart(5, '0')}`));
  const [top, next] = (await plan()) as [Item, Item];
  await move(top, next);
  const { rows } = await api.db.pool.query(
    'select count(*)::int as changed from plan_items where site_id = $1 and version > 1',
    [tenant.siteId],
  );
  expect(rows).toEqual([{ changed: 1 }]);
});

test('a hundred moves to one place, two at a time, keep the order of the others', async () => {
  const items = await build('abcdef');
  const [anchor, ...others] = items as [Item, ...Item[]];
  for (let round = 0; round < 20; round += 1) {
    const [one, two] = [others[round % 5], others[(round + 2) % 5]] as [Item, Item];
    const statuses = (await Promise.all([move(one, anchor), move(two, anchor)])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200]);
    const now = await plan();
    expect(now[0]?.id).toBe(anchor.id);
    expect(
      now
        .slice(1, 3)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([one.id, two.id].sort());
  }
});
