import { z } from 'zod';
import { createSharedReads } from '../../db/shared-reads.ts';
import { sql } from '../../db/sql.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const row = z.object({ number: z.number(), word: z.string().nullable() });

/** Counts down from a number, in an order that is not that of the rows below. */
const countDown = (from: number, word: string | null) => sql.type(row)`
  select n as number, ${word}::text as word from generate_series(1, ${from}::int) n order by n desc`;

const expected = (from: number, word: string | null) =>
  Array.from({ length: from }, (_, index) => ({ number: from - index, word }));

test('each of many reads at once gets its own rows, in the order of the statement, none of another', async () => {
  const asked = Array.from(
    { length: 100 },
    (_, index) => [index % 7, index % 3 === 0 ? null : `w${index}`] as const,
  );
  const answers = await Promise.all(asked.map(([from, word]) => database.db.shared(countDown(from, word))));
  expect(answers.map((rows) => rows.map(({ number, word }) => ({ number, word })))).toEqual(
    asked.map(([from, word]) => expected(from, word)),
  );
});

test('values arrive as they are: quotes, braces, commas, backslashes, the word NULL, nothing at all', async () => {
  const answers = await Promise.all(awkwardTexts.map((word) => database.db.shared(countDown(1, word))));
  expect(answers.map(([first]) => first?.word)).toEqual(awkwardTexts);
});

test('reads that come together travel as few statements, of at most 32', async () => {
  const sizes: number[] = [];
  const read = createSharedReads(async ({ values }) => {
    const [numbers] = values as readonly unknown[][];
    sizes.push(numbers?.length ?? 0);
    return [];
  });
  await Promise.all(
    Array.from({ length: 70 }, (_, index) => read({ text: 'select $slonik_1::int', values: [index] })),
  );
  expect(sizes).toEqual([32, 32, 6]);
});

test.each([
  ['nobody else asks anything', ['a', 'a', 'a'], 1],
  ['others ask for something else', ['a', 'b', 'a', null, 'b', 'null', 'a'], 4],
])('what several ask at the same moment is read once where %s', async (_, words, times) => {
  const read = (word: string | null) =>
    database.db.shared(sql.type(z.object({ word: z.string().nullable(), reading: z.string() }))`
      select ${word}::text as word, gen_random_uuid() as reading`);
  const answers = await Promise.all(words.map(read));
  expect(answers.map(([row]) => row?.word)).toEqual(words);
  expect(new Set(answers.map(([row]) => row?.reading)).size).toBe(times);
});

test('where the statement fails, every read of it fails, and the next works', async () => {
  const divide = (by: number) => sql.type(z.object({ number: z.number() }))`select 6 / ${by}::int as number`;
  const outcomes = await Promise.allSettled([0, 1, 2].map((by) => database.db.shared(divide(by))));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(database.db.shared(divide(2))).resolves.toEqual([{ number: 3 }]);
});

test('a parameter without a type is a defect that shows at once', async () => {
  const untyped = sql.type(z.object({ word: z.string() }))`select ${'x'} as word`;
  await expect(async () => database.db.shared(untyped)).rejects.toThrow('needs the type');
});
