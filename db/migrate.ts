import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import type { MigrationBuilder } from 'node-pg-migrate';
import pg from 'pg';
import { grantPrivileges } from './privileges.ts';
import { migrationTimeouts, sessionOptions } from './timeouts.ts';

const directory = fileURLToPath(new URL('./migrations', import.meta.url));

/** The first line of a migration whose statements run one by one, outside a transaction (CONTRIBUTING). */
const WITHOUT_TRANSACTION = '-- Up Migration, without a transaction';

/** A lock that was not to be had, and a deadlock: what it stood in the way of goes on, and it is tried again. */
const RETRYABLE = new Set(['55P03', '40P01']);
const ATTEMPTS = 60;
const PAUSE_MS = 2_000;
const TURN_MS = 500;

/**
 * Brings the schema up to date: every migration that has not run yet, in the order of its name, each in a
 * transaction of its own; then what each role may do. Several at once wait for one another.
 *
 * @param databaseUrl of the role that owns the schema
 * @returns the names of the migrations that ran
 * @throws Error where something is to be done, and the role may not do it
 */
export async function migrate(databaseUrl: string, folder = directory): Promise<string[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'presswork-migrate',
    options: sessionOptions(migrationTimeouts),
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await actAsOwner(client);
    if (!(await mayMigrate(client))) return await refuseToMigrate(client, folder);
    await takeTurn(client);
    const ran: string[] = [];
    for (;;) {
      const [name] = await patiently(client, () => applyNext(client, folder));
      if (name === undefined) break;
      ran.push(name);
    }
    await patiently(client, () => grantPrivileges(client));
    return ran;
  } finally {
    await client.end();
  }
}

/** What is made belongs to the owner of the database, whoever of its members makes it. */
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
    `MIGRATION_DATABASE_URL: ${waiting.length} migrations wait, and this role may not change the schema. Name the role that owns it.`,
  );
}

/**
 * Waits until no other process migrates this database; the turn ends with the connection. It asks again and again:
 * a statement that waited would hold a snapshot, for which an index that is built concurrently waits in its turn.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [PG_MIGRATE_LOCK_ID]);
    if (rows[0].mine) return;
    await sleep(TURN_MS);
  }
}

async function patiently<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const again = error instanceof pg.DatabaseError && RETRYABLE.has(error.code ?? '');
      if (!again || attempt >= ATTEMPTS) throw error;
      // The runner leaves a failed migration's transaction as it is.
      await client.query('rollback');
      await sleep(PAUSE_MS);
    }
  }
}

/** @returns the name of the migration that ran, if one was left */
async function applyNext(client: pg.Client, folder: string): Promise<string[]> {
  const { lock, statement } = migrationTimeouts;
  await client.query(`set lock_timeout = ${lock}`);
  await client.query(`set statement_timeout = ${statement}`);
  const ran = await runner({
    dbClient: client,
    dir: folder,
    direction: 'up',
    count: 1,
    migrationsTable: 'schema_migrations',
    singleTransaction: false,
    // Two changes that were made side by side may land in the other order than their names have.
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
        // What runs here holds nobody up, and may take its time.
        pgm.sql('set lock_timeout = 0');
        pgm.sql('set statement_timeout = 0');
        for (const one of statementsOf(text)) pgm.sql(one);
      }
    : (pgm: MigrationBuilder) => pgm.sql(text);
  return { id: path, filePaths: [path], actions: { up } };
}

/** Several statements sent as one are one transaction, so they are sent by themselves. Each ends with its line. */
const statementsOf = (text: string): readonly string[] =>
  text
    .split(/;[ \t]*$/m)
    .map((part) => part.replace(/^\s*--.*$/gm, '').trim())
    .filter((part) => part !== '');
