import { createDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import type { Act } from '../../domain/audit/change.ts';
import { operator as actor } from '../../domain/audit/record.ts';
import { databaseAccess } from '../../runtime/database-access.ts';
import { homeFolder, readRunFile } from '../../runtime/home.ts';
import { originOf, readSettings } from '../../runtime/settings.ts';
import { printLine } from '../../packages/command/io.ts';
import type { Io } from '../../packages/command/io.ts';

/** How an operator's command works on the database. Each prints one JSON object (docs/spec/rulings.md, 12). */
export interface Operator {
  /** Runs a command in one transaction, and prints its result after the commit. */
  readonly change: (work: (act: Act) => Promise<object>) => Promise<void>;
  /** Runs a command that takes several transactions, and prints its result. */
  readonly onDatabase: (work: (db: Database) => Promise<object>) => Promise<void>;
  /** Of the service, under which its public files are. */
  readonly publicOrigin: () => string;
}

export function operatorOf(io: Io): Operator {
  async function onDatabase(work: (db: Database) => Promise<object>): Promise<void> {
    const db = createDatabase({
      ...databaseAccess(readSettings(io.env)),
      connectionString: databaseUrl(io),
      applicationName: 'presswork-admin',
      poolSize: 1,
    });
    try {
      print(io, await work(db));
    } finally {
      await db.close();
    }
  }
  return {
    onDatabase,
    publicOrigin: () => originOf(readSettings(io.env)),
    change: (work) => onDatabase((db) => db.transaction((tx) => work({ tx, actor, now: new Date() }))),
  };
}

export const print = ({ stdout }: Io, result: object): void => printLine(stdout, JSON.stringify(result));

/** DATABASE_URL, or the database of `npm start`. */
export const databaseUrl = ({ env }: Io): string =>
  required(readSettings(env).DATABASE_URL ?? readRunFile(homeFolder(env))?.database_url);

export function required(url: string | undefined): string {
  if (url === undefined) {
    throw new Error('DATABASE_URL: must be set, because npm start has not run in this folder.');
  }
  return url;
}
