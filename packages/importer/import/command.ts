import { Command, Option } from 'commander';
import type { Io } from '../../command/io.ts';
import * as options from '../../command/options.ts';
import type { ImportOptions } from './prepare.ts';

const DEFAULT_CONCURRENCY = 4;
/** A higher concurrency gains nothing under the API's limits, and costs memory. */
const MAXIMUM_CONCURRENCY = 64;

/** Imports a blog through the public API (docs/spec/rulings.md, 13). */
export function importCommand(io: Io): Command {
  return new Command('import')
    .description('import the articles of an import file into a Site, with their images')
    .argument('<file>', 'the import file, for example from presswork convert')
    .addOption(options.httpUrl('base-url', 'URL of the API, including /v1').makeOptionMandatory())
    .addOption(options.key())
    .option('--dry-run', 'check everything and fetch the images, but do not write')
    .option('--allow-private-images', 'also fetch images from private addresses')
    .addOption(
      options
        .number('concurrency', `concurrent entries and images; maximum ${MAXIMUM_CONCURRENCY}`, {
          minimum: 1,
        })
        .default(DEFAULT_CONCURRENCY),
    )
    .addOption(new Option('--report <file>', 'also write the report to this file'))
    .action(async (path: string, given: ImportOptions) => {
      const { importFile } = await import('./import-file.ts');
      const concurrency = Math.min(given.concurrency, MAXIMUM_CONCURRENCY);
      await importFile(path, { ...given, concurrency }, io);
    });
}
