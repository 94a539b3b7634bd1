import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { sql, statement } from '../../db/sql.ts';
import type { Query } from '../../db/statements.ts';
import { coalescedQuery } from '../../db/throughput/coalesced-query.ts';
import type { Transaction } from '../../db/transaction.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { createWire } from '../support/temporal.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});
// One connection, so that a transaction meets what the previous one left behind.
beforeEach(async () => {
  db = createDatabase({
    connectionString: database.adminUrl,
    applicationName: 'test',
    poolSize: 1,
    verifyRows: true,
  });
  await db.exec(statement`drop table if exists kept, other`);
  await db.exec(
    statement`create table kept (n int primary key, made_by xid8 not null default pg_current_xact_id(), version int not null default 1)`,
  );
  await db.exec(statement`create table other (n int references kept)`);
});
afterEach(() => db.close());
afterAll(() => database.drop());

const keep = (n: number) => statement`insert into kept (n) values (${n}::int)`;
const refer = (n: number) => statement`insert into other (n) values (${n}::int)`;
const together = (queries: readonly Query[]): Promise<void> =>
  db.transaction(async (tx) => queries.forEach((query) => tx.atCommit(query)));
const numbers = async (): Promise<number[]> => {
  const rows = await db.any(sql.type(z.object({ n: z.number() }))`select n from kept order by n`);
  return rows.map(({ n }) => n);
};
const backend = sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`;
const pid = async () => (await db.one(backend)).pid;

test('statements sent with COMMIT are one transaction, and each sees the effects of earlier ones', async () => {
  for (const n of [1, 3]) await together([keep(n), refer(n), keep(n + 1)]);
  expect(await numbers()).toEqual([1, 2, 3, 4]);
  const made = sql.type(z.object({ transactions: z.number() }))`
    select count(distinct made_by::text)::int as transactions from kept where n in (1, 2)`;
  expect(await db.one(made)).toEqual({ transactions: 1 });
});

test('a transaction whose statements are all sent with COMMIT takes one packet; others take one more', async () => {
  const url = new URL(database.adminUrl);
  const wire = await createWire(url.host);
  url.host = wire.address;
  const watched = createDatabase({ connectionString: url.href, applicationName: 'test', poolSize: 1 });
  const packetsOf = async (work: (tx: Transaction) => Promise<void>): Promise<number> => {
    const before = wire.packets();
    await watched.transaction(work);
    return wire.packets() - before;
  };
  await watched.exec(statement`select 1`);
  const alone = async (tx: Transaction) => {
    tx.atCommit(keep(1));
    tx.atCommit(refer(1));
  };
  const reading = async (tx: Transaction) => {
    await tx.any(statement`select n from kept`);
    tx.atCommit(keep(2));
  };
  expect([await packetsOf(alone), await packetsOf(reading), await packetsOf(async () => {})]).toEqual([
    1, 2, 0,
  ]);
  await watched.close();
  await wire.cut();
});

test.each([
  ['first', [refer(9), keep(1), keep(2)], '23503'],
  ['second', [keep(1), keep(1), keep(2)], '23505'],
  ['last', [keep(1), keep(2), refer(9)], '23503'],
])('if the %s is refused, nothing is done, and the connection stays usable', async (_, batch, code) => {
  const before = await pid();
  for (let run = 0; run < 2; run += 1) await expect(together(batch)).rejects.toMatchObject({ code });
  expect(await numbers()).toEqual([]);
  await together([keep(5), refer(5), keep(6)]);
  expect(await numbers()).toEqual([5, 6]);
  expect(await pid()).toBe(before);
});

test('the locks of a refused transaction are released', async () => {
  const lock = sql.fragment`pg_try_advisory_xact_lock(4711)`;
  const free = sql.type(z.object({ free: z.boolean() }))`select ${lock} as free`;
  const other = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 1 });
  for (let round = 0; round < 50; round += 1) {
    const refused = together([statement`insert into kept (n) select 1 where ${lock}`, refer(9)]);
    await expect(refused).rejects.toMatchObject({ code: '23503' });
    expect(await other.one(free)).toEqual({ free: true });
  }
  await other.close();
});

test('an error while sending reaches the caller, and nothing of its transaction is done', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const unsendable = { ...keep(1), values: [circle as never] };
  await expect(together([keep(1), unsendable, keep(2)])).rejects.toThrow(TypeError);
  await expect(
    db.transaction(async (tx) => {
      await tx.exec(keep(3));
      tx.atCommit(unsendable);
    }),
  ).rejects.toThrow(TypeError);
  expect(await numbers()).toEqual([]);
});

test('a transaction whose connection breaks is reported and not repeated, and the next one gets another connection', async () => {
  const own = await pid();
  const other = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 1 });
  const waiting = together([keep(1), statement`insert into kept (n) select 2 from pg_sleep(30)`]);
  const failed = expect(waiting).rejects.toMatchObject({ code: '57P01' });
  await other.exec(statement`select pg_terminate_backend(${own}::int)`);
  await failed;
  await other.close();
  expect(await numbers()).toEqual([]);
  await together([keep(3)]);
  expect(await numbers()).toEqual([3]);
});

test('a transaction that may not start sends nothing, and its connection stays usable', async () => {
  const before = await pid();
  const refused = db.transaction(async (tx) => tx.atCommit(keep(1)), {
    mayBegin: () => {
      throw new Error('gone');
    },
  });
  await expect(refused).rejects.toThrow('gone');
  expect([await numbers(), await pid()]).toEqual([[], before]);
});

test('a connection that is left in a transaction is not reused', async () => {
  const before = await pid();
  await db.exec(statement`begin`);
  expect(await pid()).not.toBe(before);
});

test('concurrent changes of one row are serialized, and none is lost', async () => {
  await together([keep(1)]);
  const many = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 8 });
  const row = z.object({ version: z.number() });
  const byNumber = coalescedQuery(
    row,
    { n: 'int' },
    ({ n }) => sql.fragment`select version from kept where n = ${n}`,
  );
  const seen = await Promise.all(
    Array.from({ length: 20 }, () =>
      many.transaction(async (tx) => {
        const found = await tx.current(sql.fragment`kept where n = 1`, byNumber({ n: 1 }));
        const version = (found?.version ?? 0) + 1;
        tx.atCommit(statement`update kept set version = ${version}`);
        return version;
      }),
    ),
  );
  await many.close();
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
});

test('of several changes, one that fails leaves nothing, and what the others have in common is written once', async () => {
  const told: string[] = [];
  const change = (tx: Transaction, n: number, fails: boolean) =>
    tx.apart(async (own) => {
      own.atCommit(keep(n));
      own.gather('references', [n], (effects, all) => {
        told.push(`together ${all.join()}`);
        effects.add(
          (when) => sql.fragment`
          insert into other (n) select n from unnest(${sql.array([...all], 'int4')}) as n where ${when}`,
        );
      });
      own.afterCommit(async () => void told.push(`after ${n}`));
      await own.exec(statement`select`);
      if (fails) throw new Error(`not ${n}`);
      return n;
    });
  const outcomes = await db.transaction((tx) =>
    Promise.allSettled([change(tx, 1, false), change(tx, 2, true), change(tx, 3, false)]),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await numbers()).toEqual([1, 3]);
  expect(told).toEqual(['together 1,3', 'after 1', 'after 3']);
});

test('a row that a transaction inserts is there for its next statement, and is not inserted twice', async () => {
  const unlessThere = sql.fragment`on conflict do nothing`;
  const inserted = await db.transaction(async (tx) => {
    const insert = () =>
      tx.insert((when) => sql.fragment`insert into kept (n) select 1 where ${when} ${unlessThere}`);
    return [await insert(), await insert(), await tx.exec(statement`select from kept`)];
  });
  expect(inserted).toEqual([true, false, 1]);
});
