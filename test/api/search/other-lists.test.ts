import { buildTenant, buildTerm } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { useApi } from '../../support/api.ts';

const api = await useApi();
const tenant = await buildTenant(api.db);

const valuesOf = async (path: string, q: string, member: string, key: string): Promise<string[]> => {
  const answer = await api.request('GET', `/${path}?q=${encodeURIComponent(q)}`, { key });
  expect(answer.status).toBe(200);
  return answer.data.items.map((item: Record<string, string>) => item[member]);
};

describe.each(['categories', 'tags', 'authors'] as const)('GET /%s?q=', (path) => {
  beforeAll(async () => {
    const named = [
      'Émile Zola',
      'emil',
      'Anna',
      'anna-lee',
      '100% rye',
      '100 loaves',
      'a_b',
      'axb',
      'c\\d',
      "O'Brien",
      'Ærø',
      'Straße',
      '東京',
      `z${'\u{10ffff}'.repeat(3)}`,
    ];
    for (const [number, name] of named.entries())
      await buildTerm(api, tenant.secretKey, path, { name, slug: `name-${number}` });
    const other = await buildTenant(api.db);
    await buildTerm(api, other.secretKey, path, { name: 'Annabel' });
  });

  test.each([
    ['emil', ['emil', 'Émile Zola']],
    ['ÉMILE z', ['Émile Zola']],
    ['ann', ['Anna', 'anna-lee']],
    [' Anna-', ['anna-lee']],
    ['zola', []],
    ['100%', ['100% rye']],
    ['%', []],
    ['a_', ['a_b']],
    ['_', []],
    ['c\\', ['c\\d']],
    ["o'", ["O'Brien"]],
    ['AERO', ['Ærø']],
    ['strass', ['Straße']],
    ['東', ['東京']],
    ['z', [`z${'\u{10ffff}'.repeat(3)}`]],
  ])('%s', async (q, names) => {
    expect(await valuesOf(path, q, 'name', tenant.secretKey)).toEqual(names);
  });

  test('pages by cursor, in the list’s order', async () => {
    const site = await buildTenant(api.db);
    for (let number = 0; number < 7; number += 1)
      await buildTerm(api, site.secretKey, path, { name: `Nom ${number}`, slug: `nom-${number}` });
    await buildTerm(api, site.secretKey, path, { name: 'Other' });
    const names: string[] = [];
    let cursor = '';
    do {
      const { data } = await api.request('GET', `/${path}?q=n%C3%B4m&limit=3${cursor}`, {
        key: site.secretKey,
      });
      names.push(...data.items.map(({ name }: { name: string }) => name));
      cursor = data.next_cursor === null ? '' : `&cursor=${data.next_cursor}`;
    } while (cursor !== '');
    expect(names).toEqual([0, 1, 2, 3, 4, 5, 6].map((number) => `Nom ${number}`));
  });
});

describe('GET /media?q=', () => {
  let site: Tenant;
  beforeAll(async () => {
    site = await buildTenant(api.db);
    const other = await buildTenant(api.db);
    const images = [
      [site.siteId, 'Loaf-of_bread.final.webp', 'A crusty loaf, Crème brûlée beside it'],
      [site.siteId, 'oven.jpg', null],
      [site.siteId, 'IMG_2041.jpg', 'The oven at night'],
      [other.siteId, 'oven-of-others.jpg', 'loaf'],
      ...Array.from({ length: 300 }, (_, number) => [site.siteId, `filler-${number}.png`, null]),
    ];
    for (const [index, [siteId, name, alt]] of images.entries())
      await api.db.pool.query(
        `insert into media_assets (id, site_id, bucket, object_key, file_name, mime_type, size_bytes, width, height, animated, alt_text, created_at)
         values (uuidv7(), $1, $2, 'x', $3, 'image/png', 1, 1, 1, false, $4, now() + $5 * interval '1 second')`,
        [siteId, index % 2 === 0 ? 'blog-images' : 'author-avatars', name, alt, index],
      );
  });

  test.each([
    ['bread', ['Loaf-of_bread.final.webp']],
    ['final webp', ['Loaf-of_bread.final.webp']],
    ['"loaf of bread"', ['Loaf-of_bread.final.webp']],
    ['CREME BRUL', ['Loaf-of_bread.final.webp']],
    ['oven', ['IMG_2041.jpg', 'oven.jpg']],
    ['oven -night', ['oven.jpg']],
    ['oven or loaf', ['IMG_2041.jpg', 'oven.jpg', 'Loaf-of_bread.final.webp']],
    ['2041', ['IMG_2041.jpg']],
    ['-filler', ['IMG_2041.jpg', 'oven.jpg', 'Loaf-of_bread.final.webp']],
    ['others', []],
    ['filler 299', ['filler-299.png']],
    ['?', []],
  ])('%s', async (q, names) => {
    expect(await valuesOf('media', q, 'file_name', site.secretKey)).toEqual(names);
  });

  test('combines with the bucket and with pages', async () => {
    const key = site.secretKey;
    const { data } = await api.request('GET', '/media?q=oven&bucket=author-avatars', { key });
    expect(data.items.map(({ file_name: name }: { file_name: string }) => name)).toEqual(['oven.jpg']);
    const first = await api.request('GET', '/media?q=oven&limit=1', { key });
    const next = await api.request('GET', `/media?q=oven&limit=1&cursor=${first.data.next_cursor}`, { key });
    expect(next.data.items[0].file_name).toBe('oven.jpg');
    expect(next.data.next_cursor).toBeNull();
    const { id } = next.data.items[0];
    await api.request('PATCH', `/media/${id}`, { key, body: { alt_text: 'A stove' } });
    expect(await valuesOf('media', 'stove', 'file_name', key)).toEqual(['oven.jpg']);
  });
});
