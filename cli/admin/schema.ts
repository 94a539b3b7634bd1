import type { Command } from 'commander';
import { migrate as migrateSchema } from '../../db/migrate.ts';
import { databaseRoles, prepareRoles } from '../../db/roles.ts';
import { databaseAccess, migrationUrl } from '../../runtime/database-access.ts';
import { homeFolder, readRunFile } from '../../runtime/home.ts';
import { readSettings, requireSetting } from '../../runtime/settings.ts';
import type { Io } from '../../packages/command/io.ts';
import { print, required } from './operator.ts';
import type { Operator } from './operator.ts';

export function migrate(command: Command, _operator: Operator, io: Io): void {
  command.action(async () => {
    const settings = readSettings(io.env);
    const url = migrationUrl(settings) ?? readRunFile(homeFolder(io.env))?.migration_database_url;
    print(io, { applied: await migrateSchema(required(url), undefined, databaseAccess(settings)) });
  });
}

export function roles(command: Command, _operator: Operator, io: Io): void {
  command.action(async () => print(io, { roles: await makeRoles(io) }));
}

/** @returns the names of the roles */
async function makeRoles({ env }: Io): Promise<string[]> {
  const settings = readSettings(env);
  const support = settings.SUPPORT_DATABASE_URL;
  const urls = {
    migrator: requireSetting(settings, 'MIGRATION_DATABASE_URL'),
    application: requireSetting(settings, 'DATABASE_URL'),
    ...(support !== undefined && { support }),
  };
  await prepareRoles(requireSetting(settings, 'ADMIN_DATABASE_URL'), urls, databaseAccess(settings));
  return Object.keys(urls).map((kind) => databaseRoles[kind as keyof typeof databaseRoles]);
}
