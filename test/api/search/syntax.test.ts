import { buildArticle, buildPublished, buildTenant } from '../../support/builders.ts';
import type { Tenant } from '../../support/builders.ts';
import { useApi } from '../../support/api.ts';
import { buildFillers, foundTitles, indexAll } from '../../support/search.ts';

const api = await useApi({}, { ownDatabase: 'the articles of all Sites are indexed' });
const tenant = await buildTenant(api.db);

const titles = (q: string, rest = '', key = tenant.secretKey): Promise<string[]> =>
  foundTitles(api, key, q, rest);
const samples = [
  { title: 'Crème brûlée', content: 'Eggs, cream and sugar; STRASSE in Groß-Gerau.', excerpt: 'A dessert' },
  { title: 'Rye bread', content: 'A sourdough that waits over night. Bread and butter.', excerpt: 'Dark' },
  { title: 'Wheat bread', content: 'Yeast dough with warm water, and a pinch of salt.', excerpt: null },
  {
    title: 'Lemon curd',
    content: 'Butter, eggs and the juice of lemons',
    excerpt: 'with_underscore-and.dots',
  },
  {
    title: 'Tokyo',
    content: '東京タワーに行く。 Владимир, Ὀδυσσεύς ΟΔΟΣ; don’t walk',
    excerpt: 'Æble og Øl, Łódź',
  },
];

const cases: readonly (readonly [q: string, found: readonly string[]])[] = [
  ['bread', ['Rye bread', 'Wheat bread']],
  ['BREAD', ['Rye bread', 'Wheat bread']],
  ['bread butter', ['Rye bread']],
  ['bread -butter', ['Wheat bread']],
  ['butter -bread', ['Lemon curd']],
  ['-bread -eggs', ['Tokyo']],
  ['"bread and butter"', ['Rye bread']],
  ['"butter and bread"', []],
  ['“warm water”', ['Wheat bread']],
  ['"eggs cream"', ['Crème brûlée']],
  ['eggs -"juice of lemons"', ['Crème brûlée']],
  ['creme brulee', ['Crème brûlée']],
  ['crême BRÛLÉE', ['Crème brûlée']],
  ['straße', ['Crème brûlée']],
  ['gross', ['Crème brûlée']],
  ['lem', ['Lemon curd']],
  ['lem curd', []],
  ['butter lem', ['Lemon curd']],
  ['"lem"', []],
  ['"juice of lem', ['Lemon curd']],
  ['curd or salt', ['Lemon curd', 'Wheat bread']],
  ['curd OR bread salt', ['Lemon curd', 'Wheat bread']],
  ['bread or', ['Rye bread', 'Wheat bread']],
  ['or curd', ['Lemon curd']],
  ['"or" curd', []],
  ['dessert', ['Crème brûlée']],
  ['underscore', ['Lemon curd']],
  ['with_underscore', ['Lemon curd']],
  ['and.dots', ['Lemon curd']],
  ['京タ', ['Tokyo']],
  ['東タ', []],
  ['владимир', ['Tokyo']],
  ['οδος', ['Tokyo']],
  ["don't", ['Tokyo']],
  ['lodz', ['Tokyo']],
  ['ol aeble', ['Tokyo']],
  ['b', ['Crème brûlée', 'Lemon curd', 'Rye bread', 'Wheat bread']],
  ['eggs b', ['Crème brûlée', 'Lemon curd']],
  ['!!!', []],
  ['-', []],
  ['"', []],
  ['%', []],
  ['bread%', ['Rye bread', 'Wheat bread']],
  ['br_ad', []],
];

describe('the syntax', () => {
  let site: Tenant;
  beforeAll(async () => {
    site = await buildTenant(api.db);
    for (const sample of samples) await buildArticle(api, site.secretKey, sample);
  });
  test.each(cases)('%s, in words that are read', async (q, found) => {
    expect(await titles(q, '', site.secretKey)).toEqual([...found].sort());
  });
  describe('in an index', () => {
    beforeAll(async () => {
      await buildFillers(api, site.siteId);
      await indexAll(api);
    });
    test.each(cases)('%s', async (q, found) => {
      const all = await titles(q, '&limit=100', site.secretKey);
      expect(all.filter((title) => title !== 'Filler')).toEqual(
        q.startsWith('-') && q.length > 1 ? expect.any(Array) : [...found].sort(),
      );
    });
    test('an exclusion alone finds everything else', async () => {
      expect(await titles('-filler', '', site.secretKey)).toEqual(samples.map(({ title }) => title).sort());
    });
  });
});

test('another Site’s articles are never found', async () => {
  const [one, other] = [await buildTenant(api.db), await buildTenant(api.db)];
  await buildArticle(api, one.secretKey, { title: 'Secret recipe', content: 'x' });
  expect(await titles('secret', '', other.secretKey)).toEqual([]);
  await indexAll(api);
  expect(await titles('secret', '', other.secretKey)).toEqual([]);
  expect(await titles('secret or -recipe', '', other.secretKey)).toEqual([]);
  expect(await titles('secret', '', one.secretKey)).toEqual(['Secret recipe']);
});

test('a publishable key finds published articles only', async () => {
  const { secretKey, publishableKey } = await buildTenant(api.db);
  await buildArticle(api, secretKey, { title: 'Hidden plum', content: 'plum' });
  await buildPublished(api, secretKey, { title: 'Shown plum' });
  expect(await titles('plum', '', publishableKey)).toEqual(['Shown plum']);
  expect(await titles('hidden', '', publishableKey)).toEqual([]);
});

test.each(['articles', 'media', 'authors', 'categories', 'tags'])(
  'GET /%s: a blank q and one of 201 characters are 400 and name it',
  async (path) => {
    for (const q of ['', '%20', '%20%09%C2%A0', 'x'.repeat(201), encodeURIComponent('🍞'.repeat(201))]) {
      const answer = await api.request('GET', `/${path}?q=${q}`, { key: tenant.secretKey });
      expect(answer.status).toBe(400);
      expect(answer.json.error.message).toMatch(/^q: /);
    }
    for (const q of ['x'.repeat(200), encodeURIComponent('🍞'.repeat(200)), '%E2%80%8B']) {
      const answer = await api.request('GET', `/${path}?q=${q}`, { key: tenant.secretKey });
      expect(answer.status).toBe(200);
    }
    const twice = await api.request('GET', `/${path}?q=a&q=b`, { key: tenant.secretKey });
    expect(twice.status).toBe(400);
  },
);
