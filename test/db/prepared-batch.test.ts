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
// One connection, so that a batch finds what the one before it has left.
beforeEach(async () => {
  db = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 1 });
  await db.exec(statement`drop table if exists kept, other`);
  await db.exec(
    statement`create table kept (n int primary key, made_by xid8 not null default pg_current_xact_id())`,
  );
  await db.exec(statement`create table other (n int references kept)`);
});
afterEach(() => db.close());
afterAll(() => database.drop());

const keep = (n: number) => statement`insert into kept (n) select ${n}::int`;
const refer = (n: number) => statement`insert into other (n) select ${n}::int`;
const numbers = async (): Promise<number[]> => {
  const rows = await db.any(sql.type(z.object({ n: z.number() }))`select n from kept order by n`);
  return rows.map(({ n }) => n);
};
const backend = sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`;
const pid = async () => (await db.one(backend)).pid;

test('statements that go together are one transaction, and each sees what those before it did', async () => {
  for (const n of [1, 3]) await db.together([keep(n), refer(n), keep(n + 1)]);
  expect(await numbers()).toEqual([1, 2, 3, 4]);
  const made = sql.type(z.object({ transactions: z.number() }))`
    select count(distinct made_by::text)::int as transactions from kept where n in (1, 2)`;
  expect(await db.one(made)).toEqual({ transactions: 1 });
});

test.each([
  ['first', [refer(9), keep(1), keep(2)], '23503'],
  ['second', [keep(1), keep(1), keep(2)], '23505'],
  ['last', [keep(1), keep(2), refer(9)], '23503'],
])(
  'where the %s is refused, nothing is done, and the connection goes on as before',
  async (_, batch, code) => {
    const before = await pid();
    for (let run = 0; run < 2; run += 1) await expect(db.together(batch)).rejects.toMatchObject({ code });
    expect(await numbers()).toEqual([]);
    await db.together([keep(5), refer(5), keep(6)]);
    expect(await numbers()).toEqual([5, 6]);
    expect(await pid()).toBe(before);
  },
);

test('statements that the server did not get to are prepared later, alone or in a transaction', async () => {
  const late = statement`insert into kept (n) values (${7}::int), (${8}::int)`;
  await expect(db.together([refer(9), late])).rejects.toMatchObject({ code: '23503' });
  await db.transaction((tx) => tx.exec(late));
  expect(await numbers()).toEqual([7, 8]);
});

test('what cannot be sent reaches whoever sends it, and costs the connection alone', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const unsendable = { ...keep(1), values: [circle as never] };
  await expect(db.together([keep(1), unsendable])).rejects.toThrow(TypeError);
  expect(await numbers()).toEqual([]);
});

test('a batch whose connection is cut says so', async () => {
  const own = await pid();
  const other = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 1 });
  const cut = statement`select pg_terminate_backend(${own}::int)`;
  const waiting = db.together([keep(1), statement`insert into kept (n) select 2 from pg_sleep(30)`]);
  const failed = expect(waiting).rejects.toMatchObject({ code: '57P01' });
  await other.exec(cut);
  await failed;
  await other.close();
  expect(await numbers()).toEqual([]);
});
