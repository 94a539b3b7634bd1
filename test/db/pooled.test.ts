import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { sql, statement } from '../../db/sql.ts';
import { apiTimeouts } from '../../db/timeouts.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

/**
 * DATABASE_POOL_MODE=transaction without a pooler: what a connection keeps after a transaction is what others would
 * find there, or what would be missing on another one.
 */
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({
    connectionString: database.adminUrl,
    applicationName: 'test',
    poolMode: 'transaction',
    poolSize: 1,
    timeouts: apiTimeouts,
    verifyRows: true,
  });
  await db.exec(statement`create table counted (n int primary key deferrable initially deferred)`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const setting = z.object({ name: z.string(), setting: z.string() });
const names = [
  'lock_timeout',
  'statement_timeout',
  'transaction_timeout',
  'TimeZone',
  'transaction_isolation',
];
const settings = sql.type(setting)`
  select name, setting from pg_settings where name = any(${sql.array(names, 'text')}) order by name`;
const inTransaction = [
  { name: 'TimeZone', setting: 'UTC' },
  { name: 'lock_timeout', setting: '5000' },
  { name: 'statement_timeout', setting: '10000' },
  { name: 'transaction_isolation', setting: 'read committed' },
  { name: 'transaction_timeout', setting: '11000' },
];
const sorted = (rows: readonly z.infer<typeof setting>[]) =>
  rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));

test('a statement and a transaction have their limits, and the session keeps nothing of them', async () => {
  expect(sorted(await db.any(settings))).toEqual(inTransaction);
  expect(sorted(await db.transaction((tx) => tx.any(settings)))).toEqual(inTransaction);
  const { rows: kept } = await db.pool.query(
    `select (select count(*)::int from pg_prepared_statements) as prepared, (select count(*)::int from pg_locks
       where locktype = 'advisory' and pid = pg_backend_pid()) as locks, current_setting('statement_timeout') as statement_timeout,
       current_setting('transaction_timeout') as transaction_timeout`,
  );
  expect(kept).toEqual([{ prepared: 0, locks: 0, statement_timeout: '0', transaction_timeout: '0' }]);
});

test('limits are enforced for a statement by itself', async () => {
  const impatient = createDatabase({
    connectionString: database.adminUrl,
    applicationName: 'test',
    poolMode: 'transaction',
    timeouts: { ...apiTimeouts, statement: 100 },
  });
  await expect(impatient.exec(statement`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' });
  await impatient.close();
});

test('what is answered is committed, and a failure tells its own reason and commits nothing', async () => {
  const insert = (n: number) => statement`insert into counted values (${n}::int)`;
  const count = async () =>
    (await db.one(sql.type(z.object({ n: z.number() }))`select count(*)::int as n from counted`)).n;
  expect(await db.exec(insert(1))).toBe(1);
  // Refused by COMMIT, since the constraint is checked there.
  await expect(db.exec(insert(1))).rejects.toMatchObject({ code: '23505' });
  await expect(db.exec(statement`select 1 / 0`)).rejects.toMatchObject({ code: '22012' });
  await expect(
    db.transaction(async (tx) => {
      await tx.exec(insert(2));
      throw new Error('changed its mind');
    }),
  ).rejects.toThrow('changed its mind');
  expect(await count()).toBe(1);
});

test('statements that are sent together in a transaction get their own rows', async () => {
  const number = (n: number) => sql.type(z.object({ n: z.number(), at: z.date() }))`
    select ${n}::int as n, '2026-01-02T03:04:05.678Z'::timestamptz as at`;
  const rows = await db.transaction((tx) => Promise.all([1, 2, 3].map((n) => tx.one(number(n)))));
  const at = new Date('2026-01-02T03:04:05.678Z');
  expect(rows).toEqual([
    { n: 1, at },
    { n: 2, at },
    { n: 3, at },
  ]);
});
