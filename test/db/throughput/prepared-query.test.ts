import pg from 'pg';
import { z } from 'zod';
import { createDatabase } from '../../../db/database.ts';
import type { Database } from '../../../db/database.ts';
import { sql, statement } from '../../../db/sql.ts';
import { createTestDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let db: Database;
/** The number of Describe messages of the driver. */
let asked = 0;
const { describe: ask } = pg.Connection.prototype;

beforeAll(async () => {
  database = await createTestDatabase();
  pg.Connection.prototype.describe = function (...values) {
    asked += 1;
    return ask.apply(this, values);
  };
});
// One connection, so that its prepared statements are reused.
beforeEach(() => {
  db = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 1 });
  asked = 0;
});
afterEach(() => db.close());
afterAll(async () => {
  pg.Connection.prototype.describe = ask;
  await database.drop();
});

const anything = z.record(z.string(), z.unknown());
const every = (number: number) => sql.type(anything)`
  select ${number}::int4 as number, 9007199254740991::int8 as big, null::text as nothing, '2026-01-02T03:04:05.678Z'::timestamptz as at,
    array['00000000-0000-7000-8000-000000000001']::uuid[] as ids, '{"a": [1]}'::jsonb as json, true as yes, '\\x0102'::bytea as bytes`;
const expected = (number: number) => ({
  number,
  big: 9007199254740991,
  nothing: null,
  at: new Date('2026-01-02T03:04:05.678Z'),
  ids: ['00000000-0000-7000-8000-000000000001'],
  json: { a: [1] },
  yes: true,
  bytes: Buffer.from([1, 2]),
});
const backend = sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`;
const pid = async () => (await db.one(backend)).pid;

test('the columns of a statement are described once per connection, and its rows are always parsed alike', async () => {
  for (const number of [1, 2, 3]) expect(await db.any(every(number))).toEqual([expected(number)]);
  expect(asked).toBe(1);
});

test('statements that are sent before the first was answered are each described', async () => {
  const rows = await db.transaction((tx) => Promise.all([1, 2, 3].map((number) => tx.one(every(number)))));
  expect(rows).toEqual([1, 2, 3].map(expected));
  expect(await db.any(every(4))).toEqual([expected(4)]);
  expect(asked).toBe(3);
});

test('a statement without columns, and one that changes no row, always report their number of rows', async () => {
  await db.exec(statement`create table counted (n int primary key)`);
  const insert = (n: number) => statement`insert into counted values (${n}::int) on conflict do nothing`;
  const touched = [];
  for (const n of [1, 1, 2, 2]) touched.push(await db.exec(insert(n)));
  expect(touched).toEqual([1, 0, 1, 0]);
});

test('a refused statement affects neither the connection nor its own next run', async () => {
  const divide = (by: number) => sql.type(anything)`select 6 / ${by}::int as result`;
  const before = await pid();
  expect(await db.any(divide(2))).toEqual([{ result: 3 }]);
  await expect(db.any(divide(0))).rejects.toMatchObject({ code: '22012' });
  expect(await db.any(divide(3))).toEqual([{ result: 2 }]);
  expect(await pid()).toBe(before);
});

test('a statement that is refused the first time is prepared again', async () => {
  const later = sql.type(anything)`select n from made_later`;
  await expect(db.any(later)).rejects.toMatchObject({ code: '42P01' });
  await db.exec(statement`create table made_later (n int)`);
  expect(await db.any(later)).toEqual([]);
});

test('a statement that is first sent into a transaction that fails is prepared again', async () => {
  const fresh = (n: number) => sql.type(anything)`select ${n}::int as first_in_a_transaction`;
  const divide = sql.type(anything)`select 6 / ${0}::int as result`;
  const before = await pid();
  await expect(
    db.transaction((tx) => Promise.all([tx.one(fresh(1)), tx.one(divide), tx.one(fresh(2))])),
  ).rejects.toMatchObject({ code: '22012' });
  for (const n of [3, 4]) expect(await db.one(fresh(n))).toEqual({ first_in_a_transaction: n });
  expect(await pid()).toBe(before);
});

test('a connection that the server ends is replaced', async () => {
  const before = await pid();
  await expect(db.any(statement`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow();
  expect(await pid()).not.toBe(before);
});

test('a statement whose columns have changed fails once, instead of returning rows of another shape', async () => {
  await db.exec(statement`create table changing (n int)`);
  await db.exec(statement`insert into changing values (1)`);
  const all = sql.type(anything)`select * from changing`;
  expect(await db.any(all)).toEqual([{ n: 1 }]);
  await db.exec(statement`alter table changing add column m int`);
  await expect(db.any(all)).rejects.toMatchObject({ code: '0A000' });
  expect(await db.any(all)).toEqual([{ n: 1, m: null }]);
  await db.exec(statement`alter table changing drop column m`);
  await expect(db.transaction((tx) => tx.any(all))).rejects.toMatchObject({ code: '0A000' });
  expect(await db.any(all)).toEqual([{ n: 1 }]);
});

test('a connection keeps a limited number of prepared statements, the last used ones, whatever clients request', async () => {
  const other = (n: number) => sql.type(z.object({ n: z.number() }))`
    select ${n}::int4 as n from (select 1) as ${sql.identifier([`shape_${n}`])}`;
  const prepared = async (): Promise<string[]> => {
    const { rows } = await db.pool.query<{ statement: string }>(
      'select statement from pg_prepared_statements',
    );
    return rows.map((row) => row.statement);
  };
  for (let n = 0; n < 1_200; n += 10) {
    const asked = Array.from({ length: 10 }, (_, index) => db.one(other(n + index)));
    await db.one(every(n));
    expect((await Promise.all(asked)).map((row) => row.n)).toEqual(
      Array.from({ length: 10 }, (_, index) => n + index),
    );
  }
  const kept = await prepared();
  expect(kept.length).toBeLessThanOrEqual(310);
  expect(kept.length).toBeGreaterThan(200);
  expect(kept.some((text) => text.includes('9007199254740991::int8'))).toBe(true);
  expect(kept.some((text) => text.includes('shape_1199'))).toBe(true);
  // Deallocated by the server, and prepared again.
  expect(kept.some((text) => text.includes('shape_0"'))).toBe(false);
  expect(await db.one(other(0))).toEqual({ n: 0 });
  expect((await prepared()).some((text) => text.includes('shape_0"'))).toBe(true);
});

test('variable statements of clients do not exhaust the limit: a later statement is prepared, too', async () => {
  const before = { ...every(7), sql: `${every(7).sql} -- ${Math.random()}` };
  for (let times = 0; times < 2; times += 1) await db.one(before);
  const { rows } = await db.pool.query(
    `select from pg_prepared_statements where statement like '%-- 0.%' and generic_plans + custom_plans = 2`,
  );
  expect(rows).toHaveLength(1);
});

test('an error’s stack has the calling code', async () => {
  const failure = (await db.any(statement`select from nowhere`).catch((error: Error) => error)) as Error;
  expect(failure.stack).toContain('statements.ts');
});
