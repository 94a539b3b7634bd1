import fc from 'fast-check';
import { wordsOf } from '../../domain/search/words.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** What separates words, and what words are made of, in Latin, Greek, Arabic, Devanagari, Thai and Chinese script. */
const separators = [
  '  ',
  ' ',
  ', ',
  ' – ',
  '\n',
  '\n\n',
  '\t ',
  '...',
  ' (',
  ') ',
  '„',
  '“ ',
  '-',
  "'",
  '،',
  '。',
  '  *  ',
];
const words = [
  'tea',
  'Kräuter',
  'ΤΣΆΙ',
  'x1',
  '42',
  '٤٢',
  'شاي',
  '४२',
  'चाय',
  'ชา',
  '茶壺',
  'naïve',
  'ﬁne',
  'ß',
  '_',
];

/** The same texts in each run. */
const textsOf = (from: readonly string[]): string[] => {
  const part = fc.tuple(fc.constantFrom(...separators), fc.constantFrom(...from));
  const text = fc.tuple(fc.array(part, { minLength: 12, maxLength: 12 }), fc.constantFrom(...separators));
  return fc.sample(text, { seed: 1, numRuns: 500 }).map((pieces) => pieces.flat(2).join(''));
};

test.each([
  ['of ASCII', ['tea', 'Pot', 'x1', '42', '_'], '[^a-z0-9]+'],
  ['of every script', words, String.raw`[^[:alnum:]\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]+`],
])('the words of texts %s are what lies between its separators', async (_, from, separator) => {
  const { rows } = await database.db.pool.query(
    `select text, search_words(text) as found,
       regexp_replace(search_folded(text) collate "pg_c_utf8", $2, ' ', 'g') as separated
     from unnest($1::text[]) as text`,
    [textsOf(from), separator],
  );
  /** A word of its own for each letter, in scripts without spaces. */
  const letters = /[\u0E00-\u0EFF\u3400-\u9FFF]/gu;
  const expected = rows.map(
    ({ separated }) => ` ${separated.replace(letters, ' $& ').replace(/ +/g, ' ').trim()} `,
  );
  expect(rows.map(({ found }) => found)).toEqual(expected);
  expect(new Set(expected).size).toBe(500);
});

test('words are the same in the product as in the database', async () => {
  const texts = [
    ...textsOf(['tea', 'Pot', 'x1', '42', '_']),
    ...textsOf(words),
    'İstanbul ŒUVRE Øl ẞ ΟΔΟΣ ǅ',
    '',
    ' – ',
  ];
  const { rows } = await database.db.pool.query(
    'select search_words(text) as found from unnest($1::text[]) with ordinality as t (text, n) order by n',
    [texts],
  );
  expect(texts.map(wordsOf)).toEqual(rows.map(({ found }) => found));
});

test('a text of signs that stand for several words each is cut, and one of as many single words is not', async () => {
  const { rows } = await database.db.pool.query(
    `select length(search_words(repeat('\u3316', 150000))) as signs, length(search_words(repeat('\u8336', 349000))) as letters`,
  );
  expect(rows).toEqual([{ signs: 800_001, letters: 698_001 }]);
});

test('words at the end of a long text are found, also if it has letters that are words each', async () => {
  const { rows } = await database.db.pool.query(
    `select right(search_words('\u8336 ' || repeat('word ', 100000) || '\u8336 needle'), 13) as end`,
  );
  expect(rows).toEqual([{ end: ' word needle ' }]);
});

test.each([
  ['usual text', ['tea pot tea', 'Kräuter 茶壺', '', ' – ']],
  [
    'words that the index cuts',
    [`tea ${'x'.repeat(40)} ${'y'.repeat(41)} ${'茶'.repeat(41)}`, 'ß'.repeat(50)],
  ],
  ['long texts', ['tea pot '.repeat(30_000), Array.from({ length: 40_000 }, (_, n) => `w${n}`).join(' ')]],
])(
  'the index finds %s by each word after the end of the Site’s id, and by that end',
  async (_what, texts) => {
    const { rows } = await database.db.pool.query(
      `select words, tsvector_to_array(search_keys('00000000-0000-0000-0000-0123456789ab', words)) as keys
     from (select search_words(text) as words from unnest($1::text[]) as text) w`,
      [texts],
    );
    for (const { words: found, keys } of rows) {
      const expected = (found as string)
        .split(' ')
        .map((word) => `0123456789ab${Array.from(word).slice(0, 40).join('')}`);
      expect(new Set(keys)).toEqual(new Set(expected));
    }
    expect(rows).toHaveLength(texts.length);
  },
);

test('more words than an index takes have no keys', async () => {
  const words = Array.from({ length: 70_000 }, (_, n) => `w${n}`).join(' ');
  const { rows } = await database.db.pool.query(
    `select search_keys('00000000-0000-0000-0000-0123456789ab', $1) as keys`,
    [` ${words} `],
  );
  expect(rows).toEqual([{ keys: null }]);
});
