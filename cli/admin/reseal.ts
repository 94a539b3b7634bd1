import type { Command } from 'commander';
import type { Database } from '../../db/database.ts';
import { resealSecrets } from '../../domain/kernel/reseal.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import { readSettings, requireSetting } from '../../runtime/settings.ts';
import { printLine } from '../../packages/command/io.ts';
import type { Io } from '../../packages/command/io.ts';
import type { Operator } from './operator.ts';

export function reseal(command: Command, { onDatabase }: Operator, io: Io): void {
  command.action(() => onDatabase((db) => resealAll(db, io)));
}

/** @throws Error if a secret cannot be opened with any of the keys */
async function resealAll(db: Database, { env, stderr }: Io): Promise<object> {
  const box = createSecretBox(...requireSetting(readSettings(env), 'ENCRYPTION_KEY'));
  const counts = await resealSecrets(db, box, ({ resealed, already, unreadable }) =>
    printLine(stderr, `${resealed} sealed now, ${already} before, ${unreadable} unreadable`),
  );
  if (counts.unreadable === 0) return counts;
  throw new Error(
    `ENCRYPTION_KEY: ${counts.unreadable} secrets are sealed with a key that is not among these; ${counts.resealed} were sealed with the newest, ${counts.already} had been.`,
  );
}
