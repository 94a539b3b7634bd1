import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDatabase } from '../../db/database.ts';
import type { Database, DatabaseOptions } from '../../db/database.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { Settings } from '../../runtime/settings.ts';
import { databaseRoles } from '../../db/roles.ts';
import { environment } from './environment.ts';

/** Settings of the product's sessions that a test may change. */
export type SessionOptions = Pick<DatabaseOptions, 'poolSize' | 'timeouts'>;

export interface UsedDatabase {
  /** With the application's role, as in production. */
  readonly url: string;
  /** Of the superuser, for a test's own process, such as one that fills the database. */
  readonly adminUrl: string;
  /** The product's statements run as the application; `pool` is the superuser's, for tests. */
  readonly db: Database;
}

/** A test's own database. */
export interface TestDatabase extends UsedDatabase {
  drop(): Promise<void>;
}

let shared: Promise<UsedDatabase> | undefined;

/**
 * The database of this process, for all tests that act on organisations of their own. It goes with the server, and its
 * connections do not keep the process alive.
 */
export function sharedDatabase(): Promise<UsedDatabase> {
  shared ??= createTestDatabase();
  return shared;
}

/**
 * A new migrated database, a copy of the template of the test run: for a test that acts on all organisations or on the
 * database itself. Others use `sharedDatabase`.
 */
export async function createTestDatabase(session: SessionOptions = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const owner = databaseRoles.migrator;
  await asAdmin(`create database ${name} template presswork strategy file_copy owner ${owner}`);
  const url = urlOf('APPLICATION_DATABASE_URL', name);
  const adminUrl = urlOf('DATABASE_URL', name);
  const db = createDatabase({
    connectionString: url,
    applicationName: 'presswork-test',
    verifyRows: true,
    poolMode: poolMode(),
    ...session,
  });
  const admin = createDatabase({ connectionString: adminUrl, applicationName: 'presswork-test-admin' });
  for (const { pool } of [db, admin]) pool.options.allowExitOnIdle = true;
  return {
    url,
    adminUrl,
    db: { ...db, pool: admin.pool },
    async drop() {
      await Promise.all([db.close(), admin.close()]);
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

/** `transaction` if the tests run behind a pooler (npm run test:databases). */
export const poolMode = (): Settings['DATABASE_POOL_MODE'] => readSettings().DATABASE_POOL_MODE;

/** The same database without the pooler that DATABASE_POOL_MODE stands for, which delivers no notifications. */
export function directUrl(url: string): string {
  const direct = process.env['PRESSWORK_TEST_DIRECT_DATABASE_URL'];
  if (direct === undefined) return url;
  return Object.assign(new URL(direct), { pathname: new URL(url).pathname }).href;
}

/** The URL of a role for a database of the test server. */
export function urlOf(
  role: 'DATABASE_URL' | 'APPLICATION_DATABASE_URL' | 'MIGRATION_DATABASE_URL' | 'SUPPORT_DATABASE_URL',
  name: string,
): string {
  const url = new URL(environment(role));
  url.pathname = `/${name}`;
  return url.href;
}

export async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('DATABASE_URL', 'postgres') });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
