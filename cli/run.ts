import { Command, CommanderError } from 'commander';
import type { OutputConfiguration } from 'commander';
import { ServiceError } from '../domain/kernel/errors.ts';
import { PressworkError } from '../sdk/src/error.ts';
import { adminCommand } from './admin/command.ts';
import { convertCommand } from '../packages/importer/convert/command.ts';
import { importCommand } from '../packages/importer/import/command.ts';
import { Incomplete } from '../packages/command/incomplete.ts';
import { Interrupted } from '../packages/command/interruption.ts';
import type { Io } from '../packages/command/io.ts';
import { listenCommand } from './listen/command.ts';
import { mcpCommand } from './mcp/command.ts';
import { exportCommand } from './site-export/command.ts';
import { UsageError } from '../packages/command/usage.ts';

/** Exit code for wrong usage; failures have 1 (docs/spec/rulings.md, 12). */
const USAGE = 2;

/**
 * Runs a command.
 *
 * @param argv the arguments after the name of the program
 * @returns its exit code
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  // Without API keys: messages may repeat an argument.
  const printError = (text: string): void =>
    void io.stderr.write(text.replaceAll(/(svc_(?:sk|pub)_)\w+/g, '$1…'));
  const program = new Command('presswork')
    .description('the command line of Presswork')
    .addCommand(await adminCommand(argv[0] === 'admin' ? argv.slice(1) : [], io))
    .addCommand(listenCommand(io))
    .addCommand(convertCommand(io))
    .addCommand(exportCommand(io))
    .addCommand(importCommand(io))
    .addCommand(mcpCommand(io));
  speakBy(program, { writeOut: (text) => void io.stdout.write(text), writeErr: printError });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    if (!(error instanceof Incomplete)) printError(`${describe(error)}\n`);
    if (error instanceof Interrupted) return error.exitCode;
    return error instanceof UsageError ? USAGE : 1;
  }
}

/** Has a command and those below it throw instead of ending the process, and write by these functions. */
function speakBy(command: Command, output: OutputConfiguration): void {
  command.exitOverride().configureOutput(output);
  for (const child of command.commands) speakBy(child, output);
}

/** The message of an error; for invalid values, one line each. */
function describe(error: unknown): string {
  if (error instanceof ServiceError && error.fields !== undefined) {
    return Object.entries(error.fields)
      .map(([name, message]) => `${name}: ${message}`)
      .join('\n');
  }
  if (error instanceof PressworkError) return `The API rejected the request. ${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
