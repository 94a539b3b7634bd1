import { checkLinks } from '../../../tools/eval/measures/links.ts';
import { readingEase, syllablesOf } from '../../../tools/eval/measures/reading-ease.ts';
import { checkSentences, sayTheSame } from '../../../tools/eval/measures/support.ts';
import { sentencesOf } from '../../../tools/eval/measures/text.ts';
import { languages, ownArticlesOf, topicsOf } from '../../../tools/eval/topics.ts';
import type { Language } from '../../../tools/eval/topics.ts';

const bees = 'In 2024 the colonies of Dele Akande gave 1,148 kilograms of honey. A hive weighs 90 kilograms.';
const wind = 'Above the sixth floor the wind blows twice as hard.';

test.each<[string, string, boolean]>([
  ['the same figures and words', 'Akande’s colonies gave 1148 kilograms of honey in 2024.', true],
  ['another figure', 'Akande’s colonies gave 1149 kilograms of honey in 2024.', false],
  ['a figure of the source about something else', 'Ninety museums closed within 90 months elsewhere.', false],
  ['no source', '', false],
])('a sentence with %s', (_, text, holds) => {
  expect(sayTheSame(text === '' ? 'Anything' : text, text === '' ? '' : bees)).toBe(holds);
});

test('each citation is checked by its own source, and a sentence by all that it cites', () => {
  const text = `# 2024
A hive weighs 90 kilograms. [^1] A hive weighs 90 kilograms.[^2] Honey is sweet. A colony has 7 queens.
The colonies gave 1,148 kilograms of honey. [^1][^9]`;
  expect(
    checkSentences(text, 'en', [bees, wind]).map(({ text, isSupported, citations }) => [
      text,
      isSupported,
      citations.map(({ n, holds }) => `${n} ${holds}`).join(),
    ]),
  ).toEqual([
    ['A hive weighs 90 kilograms.', true, '1 true'],
    ['A hive weighs 90 kilograms.', false, '2 false'],
    ['A colony has 7 queens.', false, ''],
    ['The colonies gave 1,148 kilograms of honey.', true, '1 true,9 false'],
  ]);
});

test('what the topic says needs no source', () => {
  expect(checkSentences('It has 7 queens.', 'en', [bees], 'Mention its 7 queens.')).toMatchObject([
    { isSupported: true },
  ]);
});

test('sentences are those of paragraphs and lists, as they are read', () => {
  expect(
    sentencesOf('## One 1\n\n- **Two** [words](https://a.example).\n- Three.[^1] Four.\n\n[^1]: five', 'en'),
  ).toEqual(['Two words.', 'Three[^1].', 'Four.']);
});

test('links are inside, of a source or outside, and those inside lead somewhere or not', () => {
  const paths = { article: '/{slug}', category: '/c/{slug}', tag: '/t/{slug}', author: '/a/{slug}' };
  const blog = { domain: 'en.blog.example', url_paths: paths };
  const text = `[a](https://en.blog.example/bees) [b](/draft "t") ![c](https://x.example/i.png) <https://s.example/1>
[home](https://en.blog.example/) and https://y.example/z.

[ref]: /bees/`;
  const links = checkLinks(text, blog, new Set(['bees']), ['https://s.example/1']);
  expect(links.map(({ url, place, resolves }) => `${url} ${place} ${resolves}`).toSorted()).toEqual([
    '/bees/ inside true',
    '/draft inside false',
    'https://en.blog.example/ inside true',
    'https://en.blog.example/bees inside true',
    'https://s.example/1 source true',
    'https://x.example/i.png outside false',
    'https://y.example/z outside false',
  ]);
});

test.each<[Language, string, number]>([
  ['en', 'readable', 3],
  ['en', 'house', 1],
  ['en', 'table', 2],
  ['de', 'Häuser', 2],
  ['de', 'Kachelofen', 4],
  ['de', 'Theater', 3],
  ['fr', 'montagne', 2],
  ['fr', 'chantent', 1],
  ['fr', 'été', 2],
  ['es', 'ciudad', 2],
  ['es', 'leía', 3],
  ['es', 'agua', 2],
])('in %s %s has %d syllables', (language, word, syllables) => {
  expect(syllablesOf(word, language)).toBe(syllables);
});

test.each<[Language, string, string]>([
  [
    'en',
    'The cat sat. It was warm.',
    'Institutional considerations necessitate organisational recalibration.',
  ],
  [
    'de',
    'Die Katze saß da. Es war warm.',
    'Institutionelle Überlegungen erfordern organisatorische Neuausrichtungen.',
  ],
  [
    'fr',
    'Le chat dort. Il fait chaud.',
    'Des considérations institutionnelles nécessitent une réorganisation.',
  ],
  [
    'es',
    'El gato duerme. Hace sol.',
    'Consideraciones institucionales necesitan una reorganización organizativa.',
  ],
])('in %s a short text is read more easily than a hard one', (language, easy, hard) => {
  expect(readingEase(easy, language)).toBeGreaterThan(70);
  expect(readingEase(hard, language)).toBeLessThan(20);
  expect(readingEase('## Nothing', language)).toBeNull();
});

test('there are ten topics in each language, with orders, contradictions and duplicates of own articles', () => {
  for (const language of languages) {
    const topics = topicsOf(language);
    const own = ownArticlesOf(language);
    const has = (of: (topic: (typeof topics)[number]) => unknown) => topics.filter(of).length;
    expect([
      language,
      topics.length,
      has(({ injected }) => injected),
      has(({ disputed }) => disputed),
    ]).toEqual([language, 10, 2, 1]);
    for (const { injected, disputed, sources, duplicateOf } of topics) {
      const texts = sources.map(({ text }) => text);
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.every((text) => text.split(/\s+/).length > 100)).toBe(true);
      if (injected !== null) expect(texts.join()).toContain(injected);
      for (const figure of disputed ?? []) expect(texts.join()).toContain(figure);
      if (duplicateOf !== null) expect(own).toContainEqual(expect.objectContaining({ slug: duplicateOf }));
    }
    expect(own.filter(({ isPublished }) => !isPublished)).toHaveLength(1);
  }
});
