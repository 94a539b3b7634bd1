import { Command, CommanderError } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { adminCommand } from './admin.ts';
import { convertCommand } from './convert.ts';
import { importCommand } from './import/command.ts';
import { listenCommand } from './listen.ts';
import { UsageError } from './usage.ts';

/** Wrong usage, as against what was tried and refused (decisions 12). */
const USAGE = 2;

/** A complaint may repeat what it complains of: a key that stands where none belongs is not shown. */
const complain = (text: string): void =>
  void process.stderr.write(text.replaceAll(/(svc_(?:sk|pub)_)\w+/g, '$1…'));

/** What went wrong; of refused values, what is wrong with each. */
function describe(error: unknown): string {
  if (error instanceof ServiceError && error.fields !== undefined) {
    return Object.entries(error.fields)
      .map(([name, message]) => `${name}: ${message}`)
      .join('\n');
  }
  return error instanceof Error ? error.message : String(error);
}

const program = new Command('presswork')
  .description('Presswork from the command line')
  .exitOverride()
  .configureOutput({ writeErr: complain });
program
  .addCommand(adminCommand())
  .addCommand(listenCommand())
  .addCommand(convertCommand())
  .addCommand(importCommand());

function inheritExit(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().configureOutput({ writeErr: complain });
    inheritExit(child);
  }
}
inheritExit(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : USAGE;
  } else {
    complain(`${describe(error)}\n`);
    process.exitCode = error instanceof UsageError ? USAGE : 1;
  }
}
