import { z } from 'zod';
import { CoalescedRead, coalescedQuery } from '../../../db/throughput/coalesced-query.ts';
import { createCoalescedReads } from '../../../db/throughput/coalesced-reads.ts';
import { sql } from '../../../db/sql.ts';
import type { FragmentSqlToken } from '../../../db/sql.ts';
import { textsToEscape } from '../../support/texts-to-escape.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const row = z.object({ number: z.number(), word: z.string().nullable() });

/** Counts down from a number, in another order than that of the rows. */
const countDown = coalescedQuery(
  row,
  { from: 'int', word: 'text' },
  ({ from, word }) =>
    sql.fragment`select n as number, ${word} as word from generate_series(1, ${from}) n order by n desc`,
);

const expected = (from: number, word: string | null) =>
  Array.from({ length: from }, (_, index) => ({ number: from - index, word }));

test('each of many concurrent reads gets exactly its own rows, in the order of the statement', async () => {
  const asked = Array.from(
    { length: 100 },
    (_, index) => [index % 7, index % 3 === 0 ? null : `w${index}`] as const,
  );
  const answers = await Promise.all(
    asked.map(([from, word]) => database.db.coalesced(countDown({ from, word }))),
  );
  expect(answers.map((rows) => rows.map(({ number, word }) => ({ number, word })))).toEqual(
    asked.map(([from, word]) => expected(from, word)),
  );
});

test('values arrive unchanged: quotes, braces, commas, backslashes, the word NULL, the empty text', async () => {
  const answers = await Promise.all(
    textsToEscape.map((word) => database.db.coalesced(countDown({ from: 1, word }))),
  );
  expect(answers.map(([first]) => first?.word)).toEqual(textsToEscape);
});

test('concurrent reads are sent as few statements, of at most 32 reads', async () => {
  const sizes: number[] = [];
  const read = createCoalescedReads(async (_text, [numbers]) => {
    sizes.push((numbers as readonly number[]).length);
    return [];
  });
  const number = new CoalescedRead(['int'], ([n]) => sql.fragment`select ${n as FragmentSqlToken}`);
  await Promise.all(Array.from({ length: 70 }, (_, index) => read(number, [index])));
  expect(sizes).toEqual([32, 32, 6]);
});

test.each([
  ['there are no other requests', ['a', 'a', 'a'], 1],
  ['others ask for something else', ['a', 'b', 'a', null, 'b', 'null', 'a'], 4],
])('what several ask at the same moment is read once where %s', async (_, words, times) => {
  const reading = coalescedQuery(
    z.object({ word: z.string().nullable(), reading: z.string() }),
    { word: 'text' },
    ({ word }) => sql.fragment`select ${word} as word, gen_random_uuid() as reading`,
  );
  const answers = await Promise.all(words.map((word) => database.db.coalesced(reading({ word }))));
  expect(answers.map(([row]) => row?.word)).toEqual(words);
  expect(new Set(answers.map(([row]) => row?.reading)).size).toBe(times);
});

test('if the statement fails, all its reads fail, and the next one works', async () => {
  const divide = coalescedQuery(
    z.object({ number: z.number() }),
    { by: 'int' },
    ({ by }) => sql.fragment`select 6 / ${by} as number`,
  );
  const outcomes = await Promise.allSettled([0, 1, 2].map((by) => database.db.coalesced(divide({ by }))));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(database.db.coalesced(divide({ by: 2 }))).resolves.toEqual([{ number: 3 }]);
});

test('a bound value is a defect that shows when the query is declared', () => {
  const word = z.object({ word: z.string() });
  expect(() => coalescedQuery(word, {}, () => sql.fragment`select ${'x'} as word`)).toThrow(
    'must be a parameter',
  );
});

test('text that looks like a parameter stays as it is, and a parameter may be used twice', async () => {
  const priced = coalescedQuery(
    z.object({ price: z.string(), word: z.string(), again: z.string() }),
    { word: 'text' },
    ({ word }) => sql.fragment`select '$1, p1, asked.p1'::text as price, ${word} as word, ${word} as again`,
  );
  const priceOf = async (word: string) => (await database.db.coalesced(priced({ word })))[0];
  const expectedOf = (word: string) => ({ price: '$1, p1, asked.p1', word, again: word });
  expect(await priceOf('alone')).toEqual(expectedOf('alone'));
  const together = await Promise.all(['a', 'b', 'c'].map(priceOf));
  expect(together).toMatchObject(['a', 'b', 'c'].map(expectedOf));
});

test('a coalesced query may also run alone, in a transaction', async () => {
  const rows = await database.db.transaction((tx) => tx.any(countDown({ from: 2, word: 'alone' })));
  expect(rows).toEqual(expected(2, 'alone'));
});
