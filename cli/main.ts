import { Command, CommanderError } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { PressworkError } from '../sdk/src/error.ts';
import { UsageError } from './usage.ts';

/** Exit code for wrong usage; failures have 1 (docs/spec/rulings.md, 12). */
const USAGE = 2;

/** Prints an error, without API keys: messages may repeat an argument. */
const printError = (text: string): void =>
  void process.stderr.write(text.replaceAll(/(svc_(?:sk|pub)_)\w+/g, '$1…'));

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

/** Loaded when it is named, or for the help: the packages of all of them take a second. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  admin: async () => (await import('./admin.ts')).adminCommand(),
  listen: async () => (await import('./listen.ts')).listenCommand(),
  convert: async () => (await import('./convert.ts')).convertCommand(),
  export: async () => (await import('./site-export/command.ts')).exportCommand(),
  import: async () => (await import('./import/command.ts')).importCommand(),
  mcp: async () => (await import('./mcp/command.ts')).mcpCommand(),
};

const program = new Command('presswork')
  .description('the command line of Presswork')
  .exitOverride()
  .configureOutput({ writeErr: printError });
const named = process.argv[2] ?? '';
for (const name of Object.hasOwn(commands, named) ? [named] : Object.keys(commands)) {
  const command = await commands[name]?.();
  if (command !== undefined) program.addCommand(command);
}

function inheritExit(command: Command): void {
  for (const child of command.commands) {
    child.exitOverride().configureOutput({ writeErr: printError });
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
    printError(`${describe(error)}\n`);
    process.exitCode = error instanceof UsageError ? USAGE : 1;
  }
}
