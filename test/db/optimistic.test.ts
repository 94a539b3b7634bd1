import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;
let other: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  const connect = (): Database =>
    createDatabase({
      connectionString: database.adminUrl,
      applicationName: 'test',
      poolSize: 8,
      verifyRows: true,
      // Longer than a test: what waits for a lock does not come to an end by itself.
      timeouts: { lock: 600_000, statement: 600_000, idleInTransaction: 600_000 },
    });
  [db, other] = [connect(), connect()];
  await db.exec(statement`drop table if exists counters, notes`);
  await db.exec(statement`
    create table counters (n int primary key, value int not null, version int not null default 1,
      made_by xid8 not null default pg_current_xact_id())`);
  await db.exec(
    statement`create table notes (n int not null, text text not null unique check (text <> 'refused'))`,
  );
  await db.exec(statement`insert into counters (n, value) select n, 0 from generate_series(1, 20) n`);
});
afterEach(() => Promise.all([db.close(), other.close()]));
afterAll(() => database.drop());

const counter = z.object({ n: z.number(), value: z.number(), version: z.number() });
const where = (n: number) => sql.fragment`counters where n = ${n}::int`;
const reading = (n: number) => sql.type(counter)`select n, value, version from counters where n = ${n}::int`;
const read = async (n: number) => (await db.one(reading(n))).value;
const xids = async (ns: readonly number[]): Promise<number> => {
  const count = sql.type(z.object({ count: z.number() }))`
    select count(distinct made_by::text)::int as count from counters where n = any(${sql.array([...ns], 'int4')})`;
  return (await db.one(count)).count;
};
const notes = async (): Promise<string[]> => {
  const rows = await db.any(sql.type(z.object({ text: z.string() }))`select text from notes order by text`);
  return rows.map(({ text }) => text);
};

/** Adds one to a counter. @param seen gets what each run of the work read */
const increment =
  (n: number, seen: number[] = []) =>
  async (tx: Transaction): Promise<number> => {
    const current = await tx.forChange(where(n), reading(n));
    if (current === null) throw new Error('gone');
    seen.push(current.value);
    const value = current.value + 1;
    tx.atCommit(statement`
      update counters set value = ${value}, version = ${current.version + 1}, made_by = pg_current_xact_id() where n = ${n}`);
    return value;
  };

/** Like `increment`, with a note beside it. */
const incrementAndNote = (n: number, text: string) => async (tx: Transaction) => {
  const value = await increment(n)(tx);
  tx.atCommit(statement`insert into notes (n, text) values (${n}, ${text})`);
  return value;
};

/** Holds a counter's row until it is released. */
async function holding(n: number): Promise<{ release: () => Promise<void> }> {
  let letGo = (): void => {};
  const until = new Promise<void>((resolve) => (letGo = resolve));
  let held = (): void => {};
  const isHeld = new Promise<void>((resolve) => (held = resolve));
  const done = other.transaction(async (tx) => {
    await tx.forChange(where(n), reading(n));
    held();
    await until;
  });
  await isHeld;
  return {
    async release() {
      letGo();
      await done;
    },
  };
}

test('nothing is written before the commit, and then all of it', async () => {
  const attempt = db.attempt(incrementAndNote(1, 'one'));
  await db.attempt(increment(2)).commit();
  expect([await read(1), await notes()]).toEqual([0, []]);
  expect(await attempt.commit()).toBe(1);
  expect([await read(1), await notes()]).toEqual([1, ['one']]);
});

test('attempts that come together are read and committed as one', async () => {
  const ns = Array.from({ length: 10 }, (_, index) => index + 1);
  const values = await Promise.all(ns.map((n) => db.attempt(increment(n)).commit()));
  expect(values).toEqual(ns.map(() => 1));
  expect(await xids(ns)).toBe(1);
});

test('what was changed since it was read is read again, and no change is lost', async () => {
  const seen: number[] = [];
  const attempt = db.attempt(increment(1, seen));
  await other.transaction(increment(1));
  expect(await attempt.commit()).toBe(2);
  expect([seen, await read(1)]).toEqual([[0, 1], 2]);
});

test('of many attempts at one row, from two processes, each counts', async () => {
  const attempts = Array.from({ length: 40 }, (_, index) =>
    (index % 2 ? db : other).attempt(increment(1)).commit(),
  );
  const values = await Promise.all(attempts);
  expect(values.toSorted((left, right) => left - right)).toEqual(values.map((_, index) => index + 1));
  expect(await read(1)).toBe(40);
});

test('a row that is locked holds up nobody but who changes it', async () => {
  const { release } = await holding(1);
  const waiting = db.attempt(increment(1)).commit();
  const others = [2, 3, 4].map((n) => db.attempt(increment(n)).commit());
  expect(await Promise.all(others)).toEqual([1, 1, 1]);
  expect(await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))])).toBe(
    'waits',
  );
  await release();
  expect(await waiting).toBe(1);
});

test('what may have to wait is committed by itself', async () => {
  const waits = async (tx: Transaction) => {
    const value = await increment(1)(tx);
    tx.atCommit(statement`insert into notes (n, text) values (1, 'taken')`, { waits: true });
    return value;
  };
  let letGo = (): void => {};
  const until = new Promise<void>((resolve) => (letGo = resolve));
  const blocker = other.transaction(async (tx) => {
    await tx.exec(statement`insert into notes (n, text) values (0, 'taken')`);
    await until;
    throw new Error('given up');
  });
  const failed = expect(blocker).rejects.toThrow('given up');
  await other.exec(statement`select pg_sleep(0.05)`);
  const waiting = db.attempt(waits).commit();
  expect(await Promise.all([2, 3].map((n) => db.attempt(increment(n)).commit()))).toEqual([1, 1]);
  letGo();
  await failed;
  expect(await waiting).toBe(1);
  expect(await notes()).toEqual(['taken']);
});

test('where one of them is refused, the others are done all the same, each by itself', async () => {
  const runs = [
    db.attempt(incrementAndNote(1, 'one')).commit(),
    db.attempt(incrementAndNote(2, 'refused')).commit(),
    db.attempt(incrementAndNote(3, 'three')).commit(),
  ];
  const outcomes = await Promise.allSettled(runs);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { code: '23514' } });
  expect(await notes()).toEqual(['one', 'three']);
  expect([await read(1), await read(2), await read(3)]).toEqual([1, 0, 1]);
  expect(await xids([1, 3])).toBe(2);
});

test('what the work throws is thrown, without another run', async () => {
  let runs = 0;
  const attempt = db.attempt(async (tx) => {
    runs += 1;
    await increment(1)(tx);
    throw new RangeError('too much');
  });
  await expect(attempt.commit()).rejects.toThrow(RangeError);
  await expect(db.attempt(increment(99)).commit()).rejects.toThrow('gone');
  expect([runs, await read(1)]).toEqual([1, 0]);
});

test.each<[string, (tx: Transaction) => Promise<unknown>]>([
  ['any', (tx) => tx.any(reading(2))],
  ['maybeOne', (tx) => tx.maybeOne(reading(2))],
  ['one', (tx) => tx.one(reading(2))],
  ['exec', (tx) => tx.exec(statement`insert into notes (n, text) values (1, 'at once')`)],
])('work that asks for more than a row for a change (%s) is done in a transaction', async (_, ask) => {
  const seen: number[] = [];
  const work = async (tx: Transaction) => {
    const value = await increment(1, seen)(tx);
    await ask(tx);
    return value;
  };
  expect(await db.attempt(work).commit()).toBe(1);
  expect([seen, await read(1)]).toEqual([[0, 0], 1]);
});

test('rows of what goes with the commit are given to whoever wants them, and what follows it is done once', async () => {
  const told: unknown[] = [];
  const work = (n: number) => async (tx: Transaction) => {
    await increment(n)(tx);
    const row = z.object({ n: z.number(), text: z.string() });
    tx.atCommit(
      sql.type(
        row,
      )`insert into notes (n, text) values (${n}, 'a' || ${n}), (${n}, 'b' || ${n}) returning n, text`,
      { read: (rows) => told.push(rows.map(({ text }) => text)) },
    );
    tx.afterCommit(async () => void told.push(`after ${n}`));
  };
  await Promise.all([db.attempt(work(1)).commit(), db.attempt(work(2)).commit()]);
  expect(told).toEqual(expect.arrayContaining([['a1', 'b1'], ['a2', 'b2'], 'after 1', 'after 2']));
  expect(told).toHaveLength(4);

  const attempt = db.attempt(work(3));
  await other.transaction(increment(3));
  await attempt.commit();
  expect(told.slice(4)).toEqual([['a3', 'b3'], 'after 3']);
});

test.each(['attempt', 'transaction'] as const)(
  'where what follows the commit of an %s fails, the change is not made again',
  async (way) => {
    const work = async (tx: Transaction): Promise<number> => {
      // As others getting in the way of a transaction would: that one is made again.
      tx.afterCommit(async () => {
        await db.exec(statement`do $$ begin raise exception using errcode = '40001'; end $$`);
      });
      return increment(1)(tx);
    };
    const change = way === 'attempt' ? db.attempt(work).commit() : db.transaction(work);
    await expect(change).rejects.toMatchObject({ code: '40001' });
    expect(await read(1)).toBe(1);
  },
);

test('an attempt that reads only writes nothing', async () => {
  expect(await db.attempt((tx) => tx.forChange(where(1), reading(1))).commit()).toMatchObject({ value: 0 });
  expect(await db.attempt((tx) => tx.forChange(where(99), reading(99))).commit()).toBeNull();
});

test('where the connection is cut, nobody knows what came of it, so it is not done again', async () => {
  const seen: number[] = [];
  const cut = async (tx: Transaction) => {
    await increment(1, seen)(tx);
    tx.atCommit(statement`select pg_terminate_backend(pg_backend_pid())`);
    tx.atCommit(statement`select pg_sleep(1)`);
  };
  await expect(db.attempt(cut).commit()).rejects.toMatchObject({ code: '57P01' });
  expect([seen, await read(1)]).toEqual([[0], 0]);
  expect(await db.attempt(increment(1)).commit()).toBe(1);
});
