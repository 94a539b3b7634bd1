import { Command } from 'commander';
import type { Io } from '../../packages/command/io.ts';
import * as options from '../../packages/command/options.ts';

/** Exports the articles of a Site through the public API (docs/spec/rulings.md, 15). */
export function exportCommand(io: Io): Command {
  return new Command('export')
    .description('export the articles of a Site to a file that presswork import reads')
    .addOption(options.httpUrl('base-url', 'URL of the API, including /v1').makeOptionMandatory())
    .addOption(options.key())
    .addOption(options.path('--out <file>', 'the file to write, replaced at the end').makeOptionMandatory())
    .addOption(options.path('--media <folder>', 'also save the images of the library that are used'))
    .action(async (given) => (await import('./export-file.ts')).exportFile(given, io));
}
