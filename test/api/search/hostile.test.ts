import { buildArticle, buildKey, buildTenant } from '../../support/builders.ts';
import { useApi } from '../../support/api.ts';
import { buildFillers, indexAll } from '../../support/search.ts';

const api = await useApi({}, { ownDatabase: 'the articles of all Sites are indexed' });

const parts = [
  '"',
  "'",
  '\\',
  '-',
  '--',
  'or',
  ' or ',
  '&',
  '|',
  '!',
  ':*',
  '<->',
  '(',
  ')',
  '%',
  '_',
  '*',
  ':',
  '$1',
  ';',
  '/*',
  'a',
  'bread',
  'é',
  'e\u0301',
  '\u0301',
  '東',
  '한',
  'ไ',
  '🍞',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\u{10ffff}',
  '\ufdfa',
  'İ',
  'ß',
  'ﷺ',
  '\t',
  '\n',
  ' ',
  '\u00a0',
  '“',
  '”',
  '\u0001',
  '\u007f',
  '٣',
  'ǅ',
  '{',
  '}',
  '[',
  ']',
  ',',
  'null',
  'x'.repeat(60),
];

/** The same in every run. */
function weirdTexts(count: number): string[] {
  let state = 7;
  const next = (most: number): number => (state = (state * 48_271) % 2_147_483_647) % most;
  return Array.from({ length: count }, () => {
    let text = '';
    for (let left = 1 + next(40); left > 0; left -= 1) text += parts[next(parts.length)];
    return [...text].slice(0, 200).join('');
  });
}

test('500 weird texts are answered, for each list, before and after indexing', async () => {
  const { siteId, memberId, secretKey } = await buildTenant(api.db);
  const texts = weirdTexts(500);
  for (const content of texts.slice(0, 20)) await buildArticle(api, secretKey, { title: 'Weird', content });
  await buildFillers(api, siteId);
  await indexAll(api);
  for (const [index, path] of ['articles', 'articles?order=published_at.asc', 'media', 'tags'].entries()) {
    const { secret: key } = await buildKey(api.db, siteId, memberId);
    for (const text of texts.filter((_, number) => index === 0 || number % 5 === index)) {
      const query = `${path.includes('?') ? '&' : '?'}q=${encodeURIComponent(text)}`;
      const answer = await api.request('GET', `/${path}${query}`, { key });
      expect([text, answer.status]).toEqual([text, text.trim() === '' ? 400 : 200]);
    }
  }
});

test('a search of 100 alternatives is answered', async () => {
  const { secretKey: key, siteId } = await buildTenant(api.db);
  await buildFillers(api, siteId);
  await indexAll(api);
  const letters = Array.from({ length: 40 }, (_, index) => String.fromCharCode(97 + (index % 26)));
  const q = encodeURIComponent(letters.join(' or '));
  expect((await api.request('GET', `/articles?q=${q}`, { key })).status).toBe(200);
});
