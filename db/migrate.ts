import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import type { MigrationBuilder } from 'node-pg-migrate';
import pg from 'pg';
import { Client, connectionSettings } from './client.ts';
import type { Access } from './client.ts';
import { whyUnusable } from './failures.ts';
import { grantPrivileges } from './privileges.ts';
import { migrationTimeouts } from './timeouts.ts';

const directory = fileURLToPath(new URL('./migrations', import.meta.url));

/** The first line of a migration whose statements run one by one, outside a transaction (CONTRIBUTING). */
const WITHOUT_TRANSACTION = '-- Up Migration, without a transaction';

/** Lock time-out and deadlock: the migration is tried again. */
const RETRYABLE = new Set(['55P03', '40P01']);
const ATTEMPTS = 60;
const PAUSE_MS = 2_000;
const LOCK_POLL_MS = 500;

/**
 * Brings the schema up to date: runs every new migration, in the order of their names, each in its own transaction, and
 * then sets the privileges of each role. Concurrent calls wait for each other. Where a newer version has migrated, it takes
 * no privilege away: while that one rolls out, a process of this one may start again at any time, and migrates first.
 *
 * @param databaseUrl of the role that owns the schema; a pooler must not lend its connections by transaction
 * @returns the names of the migrations that ran
 * @throws Error if there is something to do, but the role may not do it
 */
export async function migrate(
  databaseUrl: string,
  folder = directory,
  { password }: Access = {},
): Promise<string[]> {
  // No limit for an answer: a migration without a transaction may take hours. Keep-alive detects a lost server.
  const client = new Client(
    connectionSettings(databaseUrl, 'presswork-migrate', migrationTimeouts, { password }),
  );
  client.on('error', () => {});
  await client.connect().catch((error: unknown) => {
    const reason = whyUnusable(error);
    throw reason === null ? error : new Error(`MIGRATION_DATABASE_URL: ${reason}`, { cause: error });
  });
  try {
    await actAsOwner(client);
    if (!(await mayMigrate(client))) return await refuseToMigrate(client, folder);
    await lockMigrations(client);
    const ran: string[] = [];
    for (;;) {
      const [name] = await withRetries(client, () => applyNext(client, folder));
      if (name === undefined) break;
      ran.push(name);
    }
    const newer = await knowsMore(client, folder);
    await withRetries(client, () => grantPrivileges(client, { revoke: !newer }));
    return ran;
  } finally {
    await client.end();
  }
}

/** New objects belong to the owner of the database, regardless of the member that creates them. */
async function actAsOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `select quote_ident(pg_get_userbyid(datdba)) as owner from pg_database
     where datname = current_database() and pg_has_role(datdba, 'set')`,
  );
  if (rows[0] !== undefined) await client.query(`set role ${rows[0].owner}`);
}

async function mayMigrate(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select has_schema_privilege('public', 'create') as may`);
  return rows[0].may as boolean;
}

async function refuseToMigrate(client: pg.Client, folder: string): Promise<string[]> {
  const { rows: found } = await client.query(`select to_regclass('schema_migrations') is not null as there`);
  const { rows } = await client.query<{ name: string }>(
    found[0].there ? 'select name from schema_migrations' : 'select where false',
  );
  const ran = new Set(rows.map(({ name }) => name));
  const waiting = (await readdir(folder)).filter((file) => !ran.has(basename(file, '.sql')));
  if (waiting.length === 0) return [];
  throw new Error(
    `MIGRATION_DATABASE_URL: ${waiting.length} migrations are pending, and this role may not change the schema. Use the role that owns it.`,
  );
}

/** Whether migrations have run that this version does not have. */
async function knowsMore(client: pg.Client, folder: string): Promise<boolean> {
  const known = new Set((await readdir(folder)).map((file) => basename(file, '.sql')));
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  return rows.some(({ name }) => !known.has(name));
}

/**
 * Waits until no other process migrates this database; the lock ends with the connection. It polls, because a waiting
 * statement would hold a snapshot, for which concurrent index builds wait.
 */
async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [PG_MIGRATE_LOCK_ID]);
    if (rows[0].mine) return;
    await sleep(LOCK_POLL_MS);
  }
}

async function withRetries<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const again = error instanceof pg.DatabaseError && RETRYABLE.has(error.code ?? '');
      if (!again || attempt >= ATTEMPTS) throw error;
      // The runner does not end the transaction of a failed migration.
      await client.query('rollback');
      await sleep(PAUSE_MS);
    }
  }
}

/** @returns the name of the migration that ran, if there was one */
async function applyNext(client: pg.Client, folder: string): Promise<string[]> {
  const { lock, statement, transaction } = migrationTimeouts;
  await client.query(`set lock_timeout = ${lock}`);
  await client.query(`set statement_timeout = ${statement}`);
  await client.query(`set transaction_timeout = ${transaction}`);
  const ran = await runner({
    dbClient: client,
    dir: folder,
    direction: 'up',
    count: 1,
    migrationsTable: 'schema_migrations',
    singleTransaction: false,
    // Migrations from parallel branches may land in a different order than that of their names.
    checkOrder: false,
    noLock: true,
    log: () => {},
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: (paths) => Promise.all(paths.map(load)) }],
  });
  return ran.map((migration) => migration.name);
}

async function load(path: string) {
  const text = await readFile(path, 'utf8');
  const up = text.startsWith(`${WITHOUT_TRANSACTION}\n`)
    ? (pgm: MigrationBuilder) => {
        pgm.noTransaction();
        // These statements do not block others, and may take as long as they need.
        pgm.sql('set lock_timeout = 0');
        pgm.sql('set statement_timeout = 0');
        pgm.sql('set transaction_timeout = 0');
        for (const one of statementsOf(text)) pgm.sql(one);
      }
    : (pgm: MigrationBuilder) => pgm.sql(text);
  return { id: path, filePaths: [path], actions: { up } };
}

/** Several statements in one query are one transaction, so each is sent separately. Each ends with its line. */
const statementsOf = (text: string): readonly string[] =>
  text
    .split(/;[ \t]*$/m)
    .map((part) => part.replace(/^\s*--.*$/gm, '').trim())
    .filter((part) => part !== '');
