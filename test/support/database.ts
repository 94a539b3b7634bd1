import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDatabase } from '../../db/database.ts';
import type { Database, DatabaseOptions } from '../../db/database.ts';
import { databaseRoles } from '../../db/roles.ts';
import { environment } from './environment.ts';

/** What of the product's sessions a test decides. */
export type SessionOptions = Pick<DatabaseOptions, 'poolSize' | 'timeouts'>;

export interface TestDatabase {
  /** As the product runs: under the application's role. */
  readonly url: string;
  /** Of the superuser: for a process of a test's own, such as one that fills the database. */
  readonly adminUrl: string;
  /** Statements of the product go as the application; `pool` is the superuser's, for tests to look and to prepare. */
  readonly db: Database;
  drop(): Promise<void>;
}

/** A database of its own, migrated: a copy of the template that the run prepared. */
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
    ...session,
  });
  const admin = createDatabase({ connectionString: adminUrl, applicationName: 'presswork-test-admin' });
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

/** Where a role connects to a database of the test server. */
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
