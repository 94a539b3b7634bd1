import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { ApiClient } from '../api-client.ts';
import { abortOnSignals, Interrupted, untilInterrupted } from '../interruption.ts';
import * as options from '../options.ts';
import { MAXIMUM_CONCURRENCY, prepareImport } from './prepare.ts';
import type { ImportOptions, ImportPorts } from './prepare.ts';
import { Progress } from '../progress.ts';
import { summaryOf } from './report.ts';
import { runImport } from './run.ts';

/** How long the API may be unavailable during an import. */
const PATIENCE_MS = 5 * 60_000;
const DEFAULT_CONCURRENCY = 4;

/** Imports a blog through the public API (docs/spec/rulings.md, 13). */
export function importCommand(): Command {
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
    .action(importFile);
}

async function importFile(path: string, given: ImportOptions): Promise<void> {
  const ending = abortOnSignals();
  const { signal } = ending;
  const http = createGuardedClient({
    userAgent: 'presswork-import',
    targets: { plainHttp: true, privateAddresses: given.allowPrivateImages ?? false },
  });
  signal.addEventListener('abort', () => void http.close());

  const redact = (text: string): string => text.replaceAll(given.key, '…');
  const progress = new Progress(process.stderr, redact);
  const say = (text: string): void => progress.say(text);
  const client = new ApiClient({ ...given, signal, say, patienceMs: PATIENCE_MS });
  const stop = (reason: Error): void => ending.abort(reason);
  await untilInterrupted(ending, progress, () =>
    importAndReport(path, given, { client, http, progress, signal, stop }, redact),
  );
}

async function importAndReport(
  path: string,
  given: ImportOptions,
  ports: ImportPorts,
  redact: (text: string) => string,
): Promise<void> {
  const job = await prepareImport(path, given, ports);
  const ended = await runImport(job);
  if (ended instanceof Interrupted) throw ended;
  if (ended !== null) ports.progress.say(ended.message);
  const report = job.tally.report(job.images.report());
  const json = redact(`${JSON.stringify(report, null, 2)}\n`);
  if (given.report !== undefined) writeFileSync(given.report, json);
  ports.progress.say(summaryOf(report, job.dryRun));
  process.stdout.write(json);
  process.exitCode = report.refused.length > 0 ? 1 : 0;
}
