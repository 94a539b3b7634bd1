import { z } from 'zod';
import { ResponseCache } from '../../api/framework/response-cache.ts';
import { coalescedQuery } from '../../db/throughput/coalesced-query.ts';
import { sql } from '../../db/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const note = z.object({ id: z.string(), word: z.string() });
type Note = z.infer<typeof note>;
const slips = coalescedQuery(
  note,
  { limit: 'int' },
  ({ limit }) => sql.fragment`select id, word, xmin as row_version from slips order by id limit ${limit}`,
);

let database: TestDatabase;
/** How many rows each read returned; null if they had not changed. */
let returned: (number | null)[];
let read: (limit: number, form?: string, present?: (rows: readonly Note[]) => string) => Promise<string>;

const id = (number: number): string => `0197a0c4-0000-7000-8000-00000000000${number}`;
const change = (statement: string) => database.db.pool.query(statement);
const words = (rows: readonly Note[]): string => rows.map(({ word }) => word).join();

beforeAll(async () => {
  database = await createTestDatabase();
  await change('create table slips (id uuid primary key, word text not null)');
  await change('grant select on slips to public');
});
afterAll(() => database.drop());
beforeEach(async () => {
  await change(`truncate slips`);
  await change(`insert into slips values ('${id(1)}', 'one'), ('${id(2)}', 'two'), ('${id(3)}', 'three')`);
  returned = [];
  const responses = new ResponseCache();
  const returning = (rows: readonly Note[] | null) => {
    returned.push(rows && rows.length);
    return rows;
  };
  read = async (limit, form = 'words', present = words) => {
    const query = slips({ limit });
    const unread = {
      read: async () => returning(await database.db.coalesced(query)) as readonly Note[],
      conditional: {
        key: `slips ${limit}`,
        async readIfChanged(known: string | null) {
          const changed = await database.db.ifChanged(query, known);
          returning(changed && changed.rows);
          return changed && { signature: changed.signature, result: changed.rows };
        },
      },
    };
    const { json } = await responses.reply(unread, form, present);
    return JSON.parse(json as string).data;
  };
});

test('a read that is requested twice is cached: the database returns no rows any more', async () => {
  for (let times = 0; times < 5; times += 1) expect(await read(2)).toBe('one,two');
  expect(returned).toEqual([2, 2, null, null, null]);
});

test('a read that cannot be conditional is never cached', async () => {
  const responses = new ResponseCache();
  let times = 0;
  const unread = { read: async () => (times += 1), conditional: null };
  const present = (result: number) => result;
  const replies = [];
  for (let again = 0; again < 3; again += 1) replies.push((await responses.reply(unread, '', present)).json);
  expect(replies).toEqual(['{"data":1}', '{"data":2}', '{"data":3}']);
});

test.each([
  ['a change', `update slips set word = 'ONE' where id = '${id(1)}'`, 'ONE,two'],
  ['a change that leaves all values', `update slips set word = word where id = '${id(1)}'`, 'one,two'],
  ['a row that is gone', `delete from slips where id = '${id(2)}'`, 'one,three'],
  ['a row that came', `insert into slips values ('${id(0)}', 'zero')`, 'zero,one'],
  ['rows that are all gone', 'delete from slips', ''],
])('%s is shown by the next read', async (_what, statement, expected) => {
  for (let times = 0; times < 3; times += 1) await read(2);
  await change(statement);
  expect(await read(2)).toBe(expected);
  expect(await read(2)).toBe(expected);
  expect(returned.slice(-2)).toEqual([expected === '' ? 0 : 2, null]);
});

test('rows that one transaction wrote are distinguished by their ids', async () => {
  for (let times = 0; times < 3; times += 1) expect(await read(1)).toBe('one');
  await change(`delete from slips where id = '${id(1)}'`);
  expect(await read(1)).toBe('two');
});

test('a change beyond the page leaves it cached', async () => {
  for (let times = 0; times < 3; times += 1) await read(2);
  await change(`update slips set word = 'THREE' where id = '${id(3)}'`);
  expect(await read(2)).toBe('one,two');
  expect(returned.at(-1)).toBe(null);
});

test('an empty page is cached', async () => {
  await change('delete from slips');
  for (let times = 0; times < 3; times += 1) expect(await read(2)).toBe('');
  expect(returned).toEqual([0, 0, null]);
  await change(`insert into slips values ('${id(1)}', 'one')`);
  expect(await read(2)).toBe('one');
});

test('other values and other presentations are cached separately', async () => {
  for (let times = 0; times < 3; times += 1) {
    expect(await read(1)).toBe('one');
    expect(await read(2)).toBe('one,two');
    expect(await read(2, 'count', (rows) => String(rows.length))).toBe('2');
  }
});

test('a result that cannot be presented is not cached', async () => {
  await read(2);
  const fail = (): string => {
    throw new Error('not presentable');
  };
  for (let times = 0; times < 2; times += 1)
    await expect(read(2, 'words', fail)).rejects.toThrow('not presentable');
  expect(await read(2)).toBe('one,two');
});

test('a body that is too long is sent, and not cached', async () => {
  await change(`update slips set word = repeat('x', 200001) where id = '${id(1)}'`);
  for (let times = 0; times < 3; times += 1) expect(await read(1)).toHaveLength(200_001);
  expect(returned).toEqual([1, 1, 1]);
});

test('concurrent reads each return what the database has', async () => {
  for (let times = 0; times < 3; times += 1) await read(2);
  const answers = await Promise.all([
    read(2),
    change(`update slips set word = 'ONE' where id = '${id(1)}'`),
    read(2),
  ]);
  expect(['one,two', 'ONE,two']).toContain(answers[0]);
  expect(['one,two', 'ONE,two']).toContain(answers[2]);
  expect(await read(2)).toBe('ONE,two');
});
