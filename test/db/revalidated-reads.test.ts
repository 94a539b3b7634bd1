import { createRevalidatedReads } from '../../db/revalidated-reads.ts';
import type { Composed } from '../../db/value-sets.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

interface Note {
  readonly id: string;
  readonly word: string;
}

let database: TestDatabase;
/** How many rows each question brought. */
let sent: number[];
let read: (limit: number, name?: string, make?: (rows: readonly Note[]) => string) => Promise<string>;

const id = (number: number): string => `0197a0c4-0000-7000-8000-00000000000${number}`;
const change = (statement: string) => database.db.pool.query(statement);
const words = (rows: readonly Note[]): string => rows.map(({ word }) => word).join();

beforeAll(async () => {
  database = await createTestDatabase();
  await change('create table notes (id uuid primary key, word text not null)');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await change(`truncate notes`);
  await change(`insert into notes values ('${id(1)}', 'one'), ('${id(2)}', 'two'), ('${id(3)}', 'three')`);
  sent = [];
  const revalidated = createRevalidatedReads(async ({ text, values }: Composed) => {
    const { rows } = await database.db.pool.query(text.replaceAll('$slonik_', '$'), values as unknown[]);
    sent.push(rows.length);
    return rows;
  });
  const text = 'select id, word, xmin as row_version from notes order by id limit $slonik_1::int';
  read = async (limit, name = 'words', make = words) => {
    const { json } = await revalidated({ text, values: [limit] }, name, async (rows: readonly Note[]) => ({
      json: make(rows),
    }));
    return json;
  };
});

test('what is asked once brings its rows; what is asked again is kept, and rows come no more', async () => {
  for (let times = 0; times < 5; times += 1) expect(await read(2)).toBe('one,two');
  expect(sent).toEqual([2, 2, 0, 0, 0]);
});

test.each([
  ['a change', `update notes set word = 'ONE' where id = '${id(1)}'`, 'ONE,two'],
  ['a change that leaves all values', `update notes set word = word where id = '${id(1)}'`, 'one,two'],
  ['a row that is gone', `delete from notes where id = '${id(2)}'`, 'one,three'],
  ['a row that came', `insert into notes values ('${id(0)}', 'zero')`, 'zero,one'],
  ['rows that are all gone', 'delete from notes', ''],
])('%s brings the rows anew', async (_what, statement, expected) => {
  for (let times = 0; times < 3; times += 1) await read(2);
  await change(statement);
  sent.length = 0;
  expect(await read(2)).toBe(expected);
  expect(sent).toEqual([Math.max(1, expected === '' ? 0 : 2)]);
  expect(await read(2)).toBe(expected);
  expect(sent.at(-1)).toBe(0);
});

test('rows that one transaction wrote are told apart by their ids', async () => {
  for (let times = 0; times < 3; times += 1) expect(await read(1)).toBe('one');
  await change(`delete from notes where id = '${id(1)}'`);
  expect(await read(1)).toBe('two');
});

test('a change beyond the page leaves it kept', async () => {
  for (let times = 0; times < 3; times += 1) await read(2);
  await change(`update notes set word = 'THREE' where id = '${id(3)}'`);
  expect(await read(2)).toBe('one,two');
  expect(sent.at(-1)).toBe(0);
});

test('an empty page is kept as such', async () => {
  await change('delete from notes');
  for (let times = 0; times < 3; times += 1) expect(await read(2)).toBe('');
  expect(sent).toEqual([0, 1, 0]);
  await change(`insert into notes values ('${id(1)}', 'one')`);
  expect(await read(2)).toBe('one');
});

test('other values and other ways to show them are kept apart', async () => {
  for (let times = 0; times < 3; times += 1) {
    expect(await read(1)).toBe('one');
    expect(await read(2)).toBe('one,two');
    expect(await read(2, 'count', (rows) => String(rows.length))).toBe('2');
  }
});

test('what cannot be shown is not kept', async () => {
  await read(2);
  const fail = (): string => {
    throw new Error('not to be shown');
  };
  for (let times = 0; times < 2; times += 1)
    await expect(read(2, 'words', fail)).rejects.toThrow('not to be shown');
  expect(await read(2)).toBe('one,two');
});

test('what is too long is shown, and not kept', async () => {
  await change(`update notes set word = repeat('x', 200001) where id = '${id(1)}'`);
  for (let times = 0; times < 3; times += 1) expect(await read(1)).toHaveLength(200_001);
  expect(sent).toEqual([1, 1, 1]);
});

test('of several at once each is answered by what the database has', async () => {
  for (let times = 0; times < 3; times += 1) await read(2);
  const answers = await Promise.all([
    read(2),
    change(`update notes set word = 'ONE' where id = '${id(1)}'`),
    read(2),
  ]);
  expect(['one,two', 'ONE,two']).toContain(answers[0]);
  expect(['one,two', 'ONE,two']).toContain(answers[2]);
  expect(await read(2)).toBe('ONE,two');
});
