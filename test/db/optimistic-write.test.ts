import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import type { Effects, OneStatement } from '../../db/effects.ts';
import { sql, statement } from '../../db/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { createWire } from '../support/temporal.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', verifyRows: true });
  await db.exec(statement`create table kept (n int primary key, version int not null default 1)`);
  await db.exec(statement`create table other (n int references kept)`);
});
beforeEach(() => db.exec(statement`truncate kept, other`));
afterAll(async () => {
  await db.close();
  await database.drop();
});

const keep = (effects: Effects, n: number) =>
  effects.change((when) => sql.fragment`insert into kept (n) select ${n}::int where ${when}`);
const follow = (effects: Effects, n: number) =>
  effects.add((when) => sql.fragment`insert into other (n) select ${n}::int where ${when}`);
const bump = (effects: Effects, n: number, from: number) =>
  effects.change(
    (when) => sql.fragment`
      update kept set version = ${from + 1} where n = ${n} and version = ${from} and ${when}`,
  );
const change = (register: (effects: OneStatement) => void) =>
  db.tryWrite(async (_rows, effects) => register(effects));
const counts = () =>
  db.one(
    sql.type(z.object({ kept: z.number(), other: z.number() }))`
      select (select count(*) from kept)::int as kept, (select count(*) from other)::int as other`,
  );
const versionRow = z.object({ version: z.number() });
const versionOf = async (n: number) =>
  (await db.one(sql.type(versionRow)`select version from kept where n = ${n}`)).version;

test('a change and what follows from it take one packet, and refer to each other', async () => {
  const url = new URL(database.adminUrl);
  const wire = await createWire(url.host);
  url.host = wire.address;
  const watched = createDatabase({ connectionString: url.href, applicationName: 'test', poolSize: 1 });
  await watched.any(statement`select`);
  const before = wire.packets();
  const written = await watched.tryWrite(async (_rows, effects) => {
    keep(effects, 1);
    follow(effects, 1);
    follow(effects, 1);
    return 'done';
  });
  expect(wire.packets() - before).toBe(1);
  expect(written).toMatchObject({ result: 'done' });
  expect(await counts()).toEqual({ kept: 1, other: 2 });
  await watched.close();
  await wire.cut();
});

test('nothing is sent for a change without effects', async () => {
  expect(await db.tryWrite(async () => 'as it was')).toMatchObject({ result: 'as it was' });
});

test('a change with many effects is left to a transaction', async () => {
  const many = (count: number) =>
    change((effects) => {
      keep(effects, count);
      for (let index = 0; index < count; index += 1) follow(effects, count);
    });
  expect(await many(12)).not.toBeNull();
  expect(await many(13)).toBeNull();
  expect(await counts()).toEqual({ kept: 1, other: 12 });
});

test('effects without a change are a defect', async () => {
  await expect(change((effects) => follow(effects, 1))).rejects.toThrow('without a change');
});

test.each<[string, (effects: OneStatement) => void]>([
  ['another version', (effects) => bump(effects, 1, 7)],
  ['a row that is gone', (effects) => bump(effects, 2, 1)],
  ['a taken key', (effects) => keep(effects, 1)],
  [
    'a condition that does not hold',
    (effects) => {
      effects.require(sql.fragment`false`);
      keep(effects, 2);
    },
  ],
])('%s: null, nothing is written, and nothing follows', async (_name, register) => {
  await change((effects) => keep(effects, 1));
  let followed = false;
  const written = await change((effects) => {
    register(effects);
    follow(effects, 1);
    effects.afterCommit(async () => {
      followed = true;
    });
  });
  expect(written).toBeNull();
  expect(await counts()).toEqual({ kept: 1, other: 0 });
  expect(await versionOf(1)).toBe(1);
  expect(followed).toBe(false);
});

test('a row that is to be inserted unless it exists is the change itself', async () => {
  const insert = () =>
    db.tryWrite(async ({ insert: insertRow }, effects) => {
      const row = sql.fragment`on conflict do nothing`;
      follow(effects, 1);
      return insertRow((when) => sql.fragment`insert into kept (n) select 1 where ${when} ${row}`);
    });
  expect(await insert()).toMatchObject({ result: true });
  expect(await insert()).toBeNull();
  expect(await counts()).toEqual({ kept: 1, other: 1 });
});

test('a refused follow-up statement rolls the change back', async () => {
  const written = await change((effects) => {
    keep(effects, 1);
    follow(effects, 99);
  });
  expect(written).toBeNull();
  expect(await counts()).toEqual({ kept: 0, other: 0 });
});

test('other errors reach the caller', async () => {
  const failing = change((effects) => {
    keep(effects, 1);
    effects.add((when) => sql.fragment`insert into other (n) select 1 / 0 where ${when}`);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect(await counts()).toEqual({ kept: 0, other: 0 });
});

test('the result of a statement is read before the work after the commit, and can feed the next statement', async () => {
  const said: unknown[] = [];
  await change((effects) => {
    keep(effects, 1);
    effects.afterCommit(async () => void said.push('after the commit'));
    effects.add<{ n: number }>(
      (_, before) => sql.fragment`insert into other (n) select b.n from ${before} b returning n`,
      {
        after: (when) => sql.fragment`insert into other (n) select 1 where ${when} returning n`,
        read: (rows) => said.push(...rows),
      },
    );
  });
  expect(said).toEqual([{ n: 1 }, 'after the commit']);
  expect(await counts()).toEqual({ kept: 1, other: 2 });
});

test('follow-up statements run in the order in which they were added, so that they lock rows in the order of a transaction', async () => {
  await db.exec(statement`create table steps (at serial, step int)`);
  await change((effects) => {
    keep(effects, 1);
    for (const step of [1, 2, 3])
      effects.add((when) => sql.fragment`insert into steps (step) select ${step}::int where ${when}`);
  });
  const steps = await db.any(sql.type(z.object({ step: z.number() }))`select step from steps order by at`);
  expect(steps).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }]);
});

test('of concurrent changes of one version, one is written; the others learn it, and no version is lost', async () => {
  await change((effects) => keep(effects, 1));
  const rounds = 20;
  for (let version = 1; version <= rounds; version += 1) {
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () =>
        change((effects) => {
          bump(effects, 1, version);
          follow(effects, 1);
        }),
      ),
    );
    expect(outcomes.filter((written) => written !== null)).toHaveLength(1);
  }
  expect(await versionOf(1)).toBe(rounds + 1);
  expect(await counts()).toEqual({ kept: 1, other: rounds });
});

test('two concurrent follow-up statements on one row both count', async () => {
  for (const n of [1, 2, 3]) await change((effects) => keep(effects, n));
  const count = (effects: OneStatement, n: number) => {
    bump(effects, n, 1);
    effects.add((when) => sql.fragment`update kept set version = version + 1 where n = 3 and ${when}`);
  };
  const outcomes = await Promise.all([1, 2].map((n) => change((effects) => count(effects, n))));
  expect(outcomes).not.toContain(null);
  expect(await versionOf(3)).toBe(3);
});
