import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { isAway } from '../../db/failures.ts';
import { sql, statement } from '../../db/sql.ts';
import { apiTimeouts } from '../../db/timeouts.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const backend = z.object({ pid: z.number() }).loose();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function withUrl(options: string, work: (db: Database) => Promise<void>): Promise<void> {
  const url = new URL(database.adminUrl);
  if (options !== '') url.searchParams.set('options', options);
  const db = createDatabase({
    connectionString: url.href,
    applicationName: 'test',
    poolSize: 1,
    timeouts: apiTimeouts,
  });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

async function settingsOf(db: Database): Promise<Record<string, string>> {
  const { rows } = await db.pool.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name = any('{statement_timeout,transaction_timeout,tcp_keepalives_idle,
       default_transaction_isolation,TimeZone,work_mem}')`,
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

const ours = {
  statement_timeout: '10000',
  transaction_timeout: '11000',
  tcp_keepalives_idle: '30',
  default_transaction_isolation: 'read committed',
  TimeZone: 'UTC',
};

test('a session has the settings that the product relies on, whatever the role or database sets', async () => {
  const { pathname } = new URL(database.adminUrl);
  await database.db.pool.query(
    `alter database ${pathname.slice(1)} set default_transaction_isolation = 'serializable'`,
  );
  await withUrl('', async (db) => expect(await settingsOf(db)).toMatchObject(ours));
  await database.db.pool.query(`alter database ${pathname.slice(1)} reset default_transaction_isolation`);
});

test('options of DATABASE_URL are added to ours, and replace none', async () => {
  await withUrl('-c work_mem=8MB -c statement_timeout=0', async (db) =>
    expect(await settingsOf(db)).toMatchObject({ ...ours, work_mem: '8192' }),
  );
});

test('a server that is read-only counts as unavailable, and gets no statement', async () => {
  await withUrl('-c default_transaction_read_only=on', async (db) => {
    const error = await db.any(statement`select 1`).then(null, (thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'DatabaseUnreachable', message: expect.stringMatching(/read-only/) });
    expect(isAway(error)).toBe(true);
    expect(db.pool.totalCount).toBe(0);
  });
});

test('once a server refuses a write because it is read-only, every connection to it is given up', async () => {
  const db = createDatabase({ connectionString: database.adminUrl, applicationName: 'test', poolSize: 3 });
  const pids = async (): Promise<number[]> =>
    Promise.all(
      [1, 2, 3].map(
        async () =>
          (await db.one(sql.type(backend)`select pg_backend_pid() as pid, pg_sleep(0.2)::text`)).pid,
      ),
    );
  const clients = await Promise.all([1, 2, 3].map(() => db.pool.connect()));
  const before: number[] = [];
  for (const client of clients) {
    before.push((await client.query('select pg_backend_pid() as pid')).rows[0].pid);
    client.release();
  }
  expect(new Set(before).size).toBe(3);
  const refused = db.transaction(async (tx) => {
    await tx.exec(statement`set transaction read only`);
    await tx.exec(statement`delete from outbox`);
  });
  const error = await refused.then(null, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: '25006' });
  expect(isAway(error)).toBe(true);
  const after = await pids();
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  await db.close();
});

test('waiting for a connection is limited: the next request is refused at once', async () => {
  await withUrl('', async (db) => {
    const held = await db.pool.connect();
    const waiting = Array.from({ length: 1_100 }, () => db.exec(statement`select 1`).then(null, String));
    const last = await waiting.at(-1);
    expect(last).toMatch(/Too many requests wait for a connection/);
    expect(db.pool.waitingCount).toBeLessThanOrEqual(1_000);
    held.release();
    const answers = await Promise.all(waiting);
    expect(answers.filter((answer) => answer === 1).length).toBe(1_000);
  });
});
