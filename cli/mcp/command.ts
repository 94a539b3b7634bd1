import { Command } from 'commander';
import type { Io } from '../../packages/command/io.ts';
import * as options from '../../packages/command/options.ts';

/** The MCP server of an API for clients that start a command (docs/spec/rulings.md, 18). */
export function mcpCommand(io: Io): Command {
  return new Command('mcp')
    .description('speak MCP on standard input and output, for agents; signs in as a device')
    .addOption(options.httpUrl('base-url', 'URL of the API, including /v1').makeOptionMandatory())
    .action(async ({ baseUrl }: { readonly baseUrl: string }) =>
      (await import('./speak.ts')).speak(baseUrl, io),
    );
}
