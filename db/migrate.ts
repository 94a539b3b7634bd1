import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

const directory = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Brings the schema up to date: every migration that has not run yet, in the order of its name, each in
 * a transaction of its own. Several at once wait for one another (an advisory lock).
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const ran = await runner({
    databaseUrl,
    dir: directory,
    direction: 'up',
    migrationsTable: 'schema_migrations',
    singleTransaction: false,
    log: () => {},
  });
  return ran.map((migration) => migration.name);
}
