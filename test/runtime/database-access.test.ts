import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { isAway } from '../../db/failures.ts';
import { statement } from '../../db/sql.ts';
import { databaseAccess, migrationUrl } from '../../runtime/database-access.ts';
import { readSettings } from '../../runtime/settings.ts';
import { asAdmin, urlOf } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const role = `changing_${process.pid}`;
let folder: string;
let file: string;
let db: Database | undefined;

const setPassword = (password: string): Promise<void> => asAdmin(`alter role ${role} password '${password}'`);
const cutConnections = (): Promise<void> =>
  asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presswork-password-'));
  file = join(folder, 'password');
  await asAdmin(`create role ${role} login password 'first'`);
});
beforeEach(async () => {
  writeFileSync(file, 'first\n');
  await setPassword('first');
});
afterEach(async () => {
  await db?.close();
  db = undefined;
});
afterAll(async () => {
  await asAdmin(`drop role ${role}`);
  rmSync(folder, { recursive: true });
});

/** The test's database, as the role, with what these settings say. @param password in the URL */
function open(settings: Record<string, string>, password = ''): Database {
  const url = new URL(urlOf('DATABASE_URL', 'postgres'));
  url.username = role;
  url.password = password;
  db = createDatabase({
    ...databaseAccess(readSettings({ DATABASE_URL: url.href, ...settings })),
    connectionString: url.href,
    applicationName: 'test',
    poolSize: 4,
  });
  return db;
}

const usable = (): Promise<boolean> =>
  (db as Database).exec(statement`select 1`).then(
    () => true,
    () => false,
  );

test.each([
  ['a file', () => ({ DATABASE_PASSWORD_FILE: file })],
  ['a command', () => ({ DATABASE_PASSWORD_COMMAND: `cat ${file}` })],
])('a password from %s may change while the process runs', async (_, settings) => {
  open(settings());
  expect(await usable()).toBe(true);
  await setPassword('second');
  writeFileSync(file, 'second\n');
  await cutConnections();
  await eventually('connections are made with the new password', usable, 100);
});

test('while a password is out of date, the database counts as away', async () => {
  const { exec } = open({ DATABASE_PASSWORD_FILE: file });
  await setPassword('second');
  const error = await exec(statement`select 1`).then(null, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: '28P01' });
  expect(isAway(error)).toBe(true);
});

test('connections that are made together run the command once, and it knows who logs in where', async () => {
  const calls = join(folder, 'calls');
  const { hostname, port } = new URL(urlOf('DATABASE_URL', 'postgres'));
  const { exec } = open({
    DATABASE_PASSWORD_COMMAND: `echo "$PGUSER@$PGHOST:$PGPORT/$PGDATABASE" >> ${calls}; cat ${file}`,
  });
  await Promise.all([1, 2, 3, 4].map(() => exec(statement`select pg_sleep(0.2)`)));
  expect(readFileSync(calls, 'utf8')).toBe(`${role}@${hostname}:${port}/postgres\n`);
});

test('a password in the URL is the one that is used', async () => {
  writeFileSync(file, 'another');
  open({ DATABASE_PASSWORD_FILE: file }, 'first');
  expect(await usable()).toBe(true);
});

test.each([
  ['does not end', 'echo begun; sleep 60; echo', /took longer than 4 s/],
  ['fails', 'echo no token >&2; exit 3', /ended with 3 \(no token\)/],
  ['prints nothing', 'true', /gives an empty password/],
  ['prints without end', 'yes', /printed too much/],
])(
  'a command that %s makes the database unreachable, and what it printed stays secret',
  async (_, command, why) => {
    const { exec } = open({ DATABASE_PASSWORD_COMMAND: command });
    const error = await exec(statement`select 1`).then(null, (thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'DatabaseUnreachable', message: expect.stringMatching(why) });
    expect(String(error)).not.toContain('begun');
  },
);

test('both at once are refused, and so is a file that does not exist', () => {
  const both = { DATABASE_PASSWORD_FILE: file, DATABASE_PASSWORD_COMMAND: 'true' };
  expect(() => readSettings(both)).toThrow(/^DATABASE_PASSWORD_COMMAND: /);
  expect(() => readSettings({ DATABASE_PASSWORD_FILE: '/nowhere' })).toThrow(/^DATABASE_PASSWORD_FILE: /);
});

test('ENCRYPTION_KEY takes several keys, newest first', () => {
  const [newest, older] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const list = [newest, older].map((key) => key.toString('base64')).join(', ');
  expect(readSettings({ ENCRYPTION_KEY: list }).ENCRYPTION_KEY).toEqual([newest, older]);
  expect(() => readSettings({ ENCRYPTION_KEY: `${list},` })).toThrow(/^ENCRYPTION_KEY: /);
});

test('an authority that does not exist is refused', () => {
  const url = 'postgres://a:b@127.0.0.1/c?sslmode=verify-full&sslrootcert=';
  expect(() => readSettings({ DATABASE_URL: `${url}/nowhere.pem` })).toThrow(/^DATABASE_URL: .*sslrootcert/);
  expect(readSettings({ DATABASE_URL: `${url}system` }).DATABASE_URL).toBe(`${url}system`);
});

test('migrations are not sent through a pooler that lends connections by transaction', () => {
  const pooled = { DATABASE_URL: 'postgres://pooler/x', DATABASE_POOL_MODE: 'transaction' };
  expect(() => migrationUrl(readSettings(pooled))).toThrow(/^MIGRATION_DATABASE_URL: /);
  const direct = { ...pooled, MIGRATION_DATABASE_URL: 'postgres://server/x' };
  expect(migrationUrl(readSettings(direct))).toBe('postgres://server/x');
});

test('a wrong mode is refused', () => {
  expect(() => readSettings({ DATABASE_POOL_MODE: 'statement' })).toThrow(/^DATABASE_POOL_MODE: /);
});
