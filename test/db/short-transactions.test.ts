import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { at, json, sql, statement, timestamp } from '../../db/sql.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  db = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 4 });
  await db.exec(statement`drop table if exists kept, marked`);
  await db.exec(statement`
    create table kept (n int primary key, made_by xid8 not null default pg_current_xact_id(), pid int default pg_backend_pid())`);
  await db.exec(statement`create table marked (n int not null check (n > 0))`);
});
afterEach(() => db.close());
afterAll(() => database.drop());

const keep = (n: number) => statement`insert into kept (n) select ${n}::int`;
const mark = (n: number) => statement`insert into marked (n) select ${n}::int`;
const count = z.object({ count: z.number() });
const numbers = async (): Promise<number[]> => {
  const rows = await db.any(sql.type(z.object({ n: z.number() }))`select n from kept order by n`);
  return rows.map(({ n }) => n);
};
const transactions = async (): Promise<number> =>
  (await db.one(sql.type(count)`select count(distinct made_by::text)::int as count from kept`)).count;
const outcomes = async (runs: readonly Promise<void>[]): Promise<string[]> =>
  (await Promise.allSettled(runs)).map((outcome) =>
    outcome.status === 'fulfilled' ? 'done' : String((outcome.reason as { code?: string }).code),
  );

test('those that come together are one transaction, and those of one shape insert by one statement each', async () => {
  const one = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 1 });
  await Promise.all([1, 2, 3].map((n) => one.together([keep(n), mark(n)])));
  expect([await numbers(), await transactions()]).toEqual([[1, 2, 3], 1]);
  const prepared = await one.any(sql.type(z.object({ statement: z.string() }))`
    select statement from pg_prepared_statements where statement like '%insert into% unnest%' and statement not like '%pg_prepared%' order by prepare_time`);
  expect(prepared.map(({ statement: text }) => text)).toEqual([
    expect.stringMatching(/insert into kept .* from unnest/s),
    expect.stringMatching(/insert into marked .* from unnest/s),
  ]);
  await one.close();
});

test('those of different shapes are one transaction as well', async () => {
  await Promise.all([
    db.together([keep(1), mark(1)]),
    db.together([keep(2)]),
    db.together([keep(3), keep(4)]),
  ]);
  expect([await numbers(), await transactions()]).toEqual([[1, 2, 3, 4], 1]);
});

test('values arrive as they are, whatever they hold', async () => {
  await db.exec(statement`drop table if exists held`);
  await db.exec(statement`create table held (n int, word text, data jsonb, bytes bytea, at timestamptz)`);
  const words = [...awkwardTexts, null];
  const now = new Date();
  const hold = (word: string | null, n: number) => statement`
    insert into held (n, word, data, bytes, at)
    select ${n}::int, ${word}::text, ${json(word === null ? null : { word })}::jsonb,
      ${word === null ? null : sql.binary(Buffer.from(word))}::bytea, ${at(now)}::timestamptz`;
  await Promise.all(words.map((word, n) => db.together([hold(word, n)])));
  const row = z.object({
    word: z.string().nullable(),
    data: z.object({ word: z.string() }).nullable(),
    bytes: z.instanceof(Buffer).nullable(),
    at: timestamp,
  });
  const held = await db.any(sql.type(row)`select word, data, bytes, at from held order by n`);
  expect(held).toEqual(
    words.map((word) => ({
      word,
      data: word === null ? null : { word },
      bytes: word === null ? null : Buffer.from(word),
      at: now,
    })),
  );
});

test.each([
  [
    'statement that does not insert a row of its own',
    () => statement`insert into kept (n) select n from generate_series(2, 3) n`,
  ],
  ['large value', () => statement`insert into kept (n) select length(${'x'.repeat(200_000)}::text)`],
])('one with a %s is committed by itself', async (_, make) => {
  await Promise.all([db.together([keep(1)]), db.together([make()]), db.together([keep(4)])]);
  expect(await transactions()).toBe(2);
  expect((await numbers()).slice(0, 1)).toEqual([1]);
});

test.each([
  ['whose statements are new to the connection', 0],
  ['whose statements it knows', 5],
])('of those that come together, %s, the refused ones alone are undone', async (_, before) => {
  for (let n = 101; n <= 100 + before; n += 1) await db.together([keep(n), mark(n)]);
  await db.together([keep(9)]);
  const known = await numbers();
  const runs = [
    db.together([mark(0), keep(1)]),
    db.together([keep(2), mark(2)]),
    db.together([keep(3), mark(0)]),
    db.together([keep(9), mark(4)]),
    db.together([keep(5), mark(5)]),
  ];
  expect(await outcomes(runs)).toEqual(['23514', 'done', '23514', '23505', 'done']);
  expect(await numbers()).toEqual([2, 5, ...known]);
});

test('once one is refused, its locks are free', async () => {
  const lock = sql.fragment`pg_try_advisory_xact_lock(4711)`;
  const free = sql.type(z.object({ free: z.boolean() }))`select ${lock} as free`;
  for (let round = 0; round < 50; round += 1) {
    const refused = db.together([statement`insert into kept (n) select 1 where ${lock}`, mark(0)]);
    await expect(refused).rejects.toMatchObject({ code: '23514' });
    expect(await db.one(free)).toEqual({ free: true });
  }
});

test('one that waits for a lock holds up nobody that came with it', async () => {
  await db.together([keep(1)]);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let locked = (): void => {};
  const isLocked = new Promise<void>((resolve) => (locked = resolve));
  const blocker = db.transaction(async (tx) => {
    await tx.exec(statement`select from kept where n = 1 for update`);
    locked();
    await held;
  });
  await isLocked;
  const waiting = db.together([statement`update kept set pid = null where n = ${1}::int`], { waits: true });
  await db.together([keep(2)]);
  expect(await numbers()).toEqual([1, 2]);
  release();
  await Promise.all([blocker, waiting]);
  const rows = await db.any(sql.type(z.object({ n: z.number() }))`select n from kept where pid is null`);
  expect(rows).toEqual([{ n: 1 }]);
});

test('one with a value that cannot be sent fails, and nothing of it is carried out with those behind it', async () => {
  await db.together([keep(1), mark(1)]);
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const unsendable = { ...mark(2), values: [circle as never] };
  const runs = [db.together([keep(2), unsendable]), db.together([keep(3), mark(3)])];
  await expect(runs[0]).rejects.toThrow(TypeError);
  const [, behind] = await outcomes(runs);
  expect(await numbers()).toEqual(behind === 'done' ? [1, 3] : [1]);
});

test('where their connection is cut, all that are under way fail, are not made again, and the next get another', async () => {
  const sleeping = statement`insert into kept (n) select ${1}::int + length(pg_sleep(30)::text)`;
  const failed = outcomes([db.together([sleeping]), db.together([keep(2)])]);
  const cut = statement`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep' and pid <> pg_backend_pid()`;
  while ((await db.exec(cut)) === 0);
  expect(await failed).toEqual(['57P01', '57P01']);
  await db.together([keep(3)]);
  expect(await numbers()).toEqual([3]);
});
