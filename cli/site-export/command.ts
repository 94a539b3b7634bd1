import { Command } from 'commander';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { ApiClient } from '../api-client.ts';
import { abortOnSignals, untilInterrupted } from '../interruption.ts';
import * as options from '../options.ts';
import { Progress } from '../progress.ts';
import { exportSite } from './export.ts';
import type { ExportOptions } from './export.ts';

/** How long the API may be unavailable during an export. */
const PATIENCE_MS = 5 * 60_000;
/** For one page of articles, of at most 8 MiB. */
const TIMEOUT_MS = 120_000;

/** Exports the articles of a Site through the public API (docs/spec/rulings.md, 15). */
export function exportCommand(): Command {
  return new Command('export')
    .description('export the articles of a Site to a file that presswork import reads')
    .addOption(options.httpUrl('base-url', 'URL of the API, including /v1').makeOptionMandatory())
    .addOption(options.key())
    .addOption(options.path('--out <file>', 'the file to write, replaced at the end').makeOptionMandatory())
    .addOption(options.path('--media <folder>', 'also save the images of the library that are used'))
    .action(run);
}

async function run(given: ExportOptions & { readonly key: string }): Promise<void> {
  const ending = abortOnSignals();
  const { signal } = ending;
  const http = createGuardedClient({ userAgent: 'presswork-export', targets: { plainHttp: true } });
  signal.addEventListener('abort', () => void http.close());
  const progress = new Progress(process.stderr, (text) => text.replaceAll(given.key, '…'));
  const say = (text: string): void => progress.say(text);
  await untilInterrupted(ending, progress, async () => {
    const client = new ApiClient({ ...given, signal, say, patienceMs: PATIENCE_MS, timeoutMs: TIMEOUT_MS });
    const { report, complete } = await exportSite(given, { client, http, progress, signal });
    progress.end();
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    process.exitCode = complete ? 0 : 1;
  });
}
