import { Argument, Command } from 'commander';
import type { Io } from '../io.ts';
import * as options from '../options.ts';
import type { System } from './convert.ts';

const systems: readonly System[] = ['ghost', 'wordpress'];

/** Converts the export of another system to an import file on stdout. */
export function convertCommand(io: Io): Command {
  return new Command('convert')
    .description('convert an export of Ghost (JSON) or WordPress (WXR) to an import file on stdout')
    .addArgument(new Argument('<system>', 'the system of the export').choices(systems))
    .argument('<export>', 'the exported file')
    .addOption(
      options.httpUrl(
        'url',
        'URL of the blog; needed for Ghost, whose exports do not contain it',
        'https://blog.example.com',
      ),
    )
    .action(async (system: System, path: string, { url }: { readonly url?: string }) => {
      const { convert } = await import('./convert.ts');
      await convert(system, path, url ?? null, io);
    });
}
