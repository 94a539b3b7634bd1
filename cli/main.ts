import { Command, CommanderError } from 'commander';
import { adminCommand } from './admin.ts';
import { listenCommand } from './listen.ts';
import { UsageError } from './usage.ts';

/** Wrong usage, as against what was tried and refused (decisions 12). */
const USAGE = 2;

const program = new Command('presswork')
  .description('Presswork from the command line')
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text) });
program.addCommand(adminCommand()).addCommand(listenCommand());

function inheritExit(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().configureOutput({ writeErr: (text) => process.stderr.write(text) });
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
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof UsageError ? USAGE : 1;
  }
}
