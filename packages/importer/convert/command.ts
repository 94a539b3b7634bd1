import { Argument, Command } from 'commander';
import type { Io } from '../../command/io.ts';
import * as options from '../../command/options.ts';
import type { System } from './convert.ts';

const systems: readonly System[] = ['ghost', 'wordpress'];

interface Given {
  readonly url?: string;
  readonly strict: boolean;
}

export function convertCommand(io: Io): Command {
  return new Command('convert')
    .description('convert an export of Ghost (JSON) or WordPress (WXR) to an import file on stdout')
    .addArgument(new Argument('<system>', 'the system of the export').choices(systems))
    .argument('<export...>', 'the exported file; WordPress divides large exports into several')
    .addOption(
      options.httpUrl(
        'url',
        'URL of the blog; needed for Ghost, whose exports do not contain it',
        'https://blog.example.com',
      ),
    )
    .option('--strict', 'exit with 1 if readers of a post see other words than before', false)
    .action(async (system: System, paths: readonly string[], { url, strict }: Given) => {
      const { convert } = await import('./convert.ts');
      await convert(system, paths, { url: url ?? null, strict }, io);
    });
}
