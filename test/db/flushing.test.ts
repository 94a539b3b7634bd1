import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { prepareRoles } from '../../db/roles.ts';
import { sql, statement } from '../../db/sql.ts';
import { freePort, loadCredentials } from '../../dev/home.ts';
import { embeddedPostgres, preparePostgres, roleUrls } from '../../dev/postgres.ts';
import { Supervised } from '../../dev/supervised.ts';
import { once, Recorded } from '../../domain/idempotency.ts';
import type { IdempotentRequest, Shortcut } from '../../domain/idempotency.ts';
import { buildOrganisation, buildSite } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';

/**
 * A server of its own, to be crashed: what was committed and not flushed is lost with it, as it is written seldom by
 * itself.
 */
let home: string;
let server: Supervised;
let admin: Database;
/** As an API has it, with the rights of its role; and another one. */
let db: Database;
let other: Database;

const connect = (url: string): Database =>
  createDatabase({ connectionString: url, applicationName: 'test', onError: () => {} });

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'presswork-flushing-'));
  const credentials = loadCredentials(home);
  const { service, url } = embeddedPostgres({
    folder: join(home, 'postgres'),
    port: await freePort(),
    password: credentials.postgresPassword,
    logFile: join(home, 'postgres.log'),
    settings: { shared_buffers: '32MB', fsync: 'off', autovacuum: 'off', wal_writer_delay: '10s' },
  });
  server = new Supervised(service, () => {});
  server.start();
  await preparePostgres(url);
  const roles = roleUrls(url, credentials);
  await prepareRoles(url, roles);
  await migrate(roles.migrator);
  admin = connect(url);
  db = connect(roles.application);
  other = connect(roles.application);
  await admin.exec(statement`create table kept (n int primary key check (n > 0))`);
  await admin.exec(statement`grant all on kept to public`);
});
afterAll(async () => {
  await Promise.all([admin, db, other].map((each) => each.close()));
  await server.stop(10_000);
  rmSync(home, { recursive: true, force: true });
});
beforeEach(() => admin.exec(statement`truncate kept, idempotency_records`));

const keep = (n: number) => statement`insert into kept (n) values (${n}::int)`;
const kept = sql.type(z.object({ n: z.number() }))`select n from kept order by n`;
const pid = sql.type(z.object({ pid: z.number() }))`select pg_backend_pid() as pid`;

/** Kills a process of the server, which then throws away its memory, and begins again from what it has written. */
async function crash(): Promise<void> {
  process.kill((await admin.one(pid)).pid, 'SIGKILL');
  const back = async () => (await admin.one(pid)).pid > 0;
  await eventually('the server is back', () => back().catch(() => false));
}

async function afterCrash(): Promise<number[]> {
  await crash();
  return (await admin.any(kept)).map(({ n }) => n);
}

const outcomes = async (runs: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(runs)).map(({ status }) => status);

/** Has a row inserted by a transaction that stays open: who inserts it as well waits. */
async function withBlocked<T>(n: number, work: () => Promise<T>): Promise<T> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let blocked = (): void => {};
  const isBlocked = new Promise<void>((resolve) => (blocked = resolve));
  const blocker = other.transaction(async (tx) => {
    await tx.exec(keep(n));
    blocked();
    await released;
  });
  await isBlocked;
  try {
    return await work();
  } finally {
    release();
    await blocker.catch(() => {});
  }
}

test('what is not flushed is lost with the server: the crash is one', async () => {
  await db.transaction(async (tx) => {
    await tx.exec(statement`set local synchronous_commit = off`);
    await tx.exec(keep(1));
  });
  expect(await afterCrash()).toEqual([]);
});

test('those that came together are on the disk when they are done', async () => {
  expect(await outcomes([1, 2, 3].map((n) => db.together([keep(n)])))).toEqual(
    Array(3).fill('fulfilled') as string[],
  );
  expect(await afterCrash()).toEqual([1, 2, 3]);
});

test('also where the last of them, which was to flush, was refused', async () => {
  const runs = [1, 2, -1].map((n) => db.together([keep(n)]));
  expect(await outcomes(runs)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(await afterCrash()).toEqual([1, 2]);
});

test('none of them is done before that', async () => {
  const [first] = await withBlocked(9, async () => {
    const runs = [1, 9].map((n) => db.together([keep(n)]));
    const ended = outcomes(runs);
    await eventually('the first is committed', async () => (await admin.any(kept)).length === 1);
    expect(await afterCrash()).toEqual([]);
    return ended;
  });
  expect(first).toBe('rejected');
});

test('a recorded answer is given again only once it is on the disk', async () => {
  const now = new Date();
  const request: IdempotentRequest = {
    siteId: await buildSite(admin, await buildOrganisation(admin)),
    operation: 'POST /articles',
    key: 'again',
    hash: Buffer.alloc(32),
  };
  const recorded = { status: 201, body: '{}', location: null, etag: null };
  const shortcut: Shortcut<string> = { answer: 'done', recorded, statements: [keep(1)], waits: false };
  await withBlocked(9, async () => {
    const work = () => Promise.reject(new Error('It was not to be done again'));
    const ended = outcomes([once(db, request, now, work, () => shortcut), db.together([keep(9)])]);
    await eventually('the first is committed', async () => (await admin.any(kept)).length === 1);
    // Another API has the same request, while the first still waits for the disk.
    expect(await once(other, request, now, work, () => null)).toBeInstanceOf(Recorded);
    expect(await afterCrash()).toEqual([1]);
    await ended;
  });
});
