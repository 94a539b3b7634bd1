import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { environment } from './environment.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  drop(): Promise<void>;
}

/** A database of its own, migrated: a copy of the template that the run prepared. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = new URL(environment('DATABASE_URL'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} template presswork strategy file_copy`);
  const url = new URL(template);
  url.pathname = `/${name}`;
  const db = createDatabase({
    connectionString: url.href,
    applicationName: 'presswork-test',
    verifyRows: true,
  });
  return {
    url: url.href,
    db,
    async drop() {
      await db.close();
      await asAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

async function asAdmin(text: string): Promise<void> {
  const url = new URL(environment('DATABASE_URL'));
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
