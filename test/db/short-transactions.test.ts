import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { sql, statement } from '../../db/sql.ts';
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

const keep = (n: number) => statement`insert into kept (n) values (${n}::int)`;
const mark = (n: number) => statement`insert into marked (n) values (${n}::int)`;
const count = z.object({ count: z.number() });
const numbers = async (): Promise<number[]> => {
  const rows = await db.any(sql.type(z.object({ n: z.number() }))`select n from kept order by n`);
  return rows.map(({ n }) => n);
};
const distinct = async (column: 'pid' | 'made_by'): Promise<number> => {
  const name = sql.identifier([column]);
  return (await db.one(sql.type(count)`select count(distinct ${name}::text)::int as count from kept`)).count;
};
const outcomes = async (runs: readonly Promise<void>[]): Promise<string[]> =>
  (await Promise.allSettled(runs)).map((outcome) =>
    outcome.status === 'fulfilled' ? 'done' : String((outcome.reason as { code?: string }).code),
  );

test('those that come together share a connection, and each is a transaction of its own', async () => {
  await Promise.all([1, 2, 3].map((n) => db.together([keep(n), mark(n)])));
  expect([await distinct('pid'), await distinct('made_by')]).toEqual([1, 3]);
});

test.each([
  ['whose statements are new to the connection', 0],
  ['whose statements it knows', 5],
])('of those that come together, %s, the refused ones alone are undone', async (_, before) => {
  for (let n = 101; n <= 100 + before; n += 1) await db.together([keep(n), mark(n)]);
  const known = await numbers();
  const runs = [
    db.together([mark(0), keep(1)]),
    db.together([keep(2), mark(2)]),
    db.together([keep(3), mark(0)]),
    db.together([keep(2), mark(4)]),
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

test('where their connection is cut, all that are under way fail, and the next get another', async () => {
  const sleeping = statement`insert into kept (n) select 1 from pg_sleep(30)`;
  const runs = [db.together([sleeping]), db.together([keep(2)])];
  const failed = outcomes(runs);
  const cut = statement`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep' and pid <> pg_backend_pid()`;
  while ((await db.exec(cut)) === 0);
  const [first, second] = await failed;
  expect(first).toBe('57P01');
  expect(second).not.toBe('done');
  await db.together([keep(3)]);
  expect(await numbers()).toEqual([3]);
});
