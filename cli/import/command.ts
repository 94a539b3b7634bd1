import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { createGuardedClient } from '../../net/guarded-client.ts';
import { ApiClient } from '../api-client.ts';
import * as options from '../options.ts';
import { MOST_CONCURRENCY, prepareImport } from './prepare.ts';
import type { ImportOptions, ImportPorts } from './prepare.ts';
import { Progress } from './progress.ts';
import { summaryOf } from './report.ts';
import { runImport } from './run.ts';

/** How long the API may be away in the middle of an import. */
const PATIENCE_MS = 5 * 60_000;
const DEFAULT_CONCURRENCY = 4;

/** Moves a blog in, over the public API alone (decisions 13). */
export function importCommand(): Command {
  return new Command('import')
    .description('bring the articles of an import file into a Site, with their images')
    .argument('<file>', 'the import file, such as presswork convert makes')
    .addOption(options.httpUrl('base-url', 'the API, with /v1').makeOptionMandatory())
    .addOption(options.key())
    .option('--dry-run', 'check everything and fetch the images, but write nothing')
    .option('--allow-private-images', 'also fetch images from private addresses')
    .addOption(
      options
        .number('concurrency', `entries, and images, side by side; at most ${MOST_CONCURRENCY}`, {
          minimum: 1,
        })
        .default(DEFAULT_CONCURRENCY),
    )
    .addOption(new Option('--report <file>', 'also write the report there'))
    .action(importFile);
}

/** What ends it before its time: Ctrl-C, or an API that stays away. */
class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('Stopped. The same command goes on from here.');
    this.exitCode = exitCode;
  }
}

async function importFile(path: string, given: ImportOptions): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const http = createGuardedClient({
    userAgent: 'presswork-import',
    targets: { plainHttp: true, privateAddresses: given.allowPrivateImages ?? false },
  });
  signal.addEventListener('abort', () => void http.close());
  process.once('SIGINT', () => ending.abort(new Interrupted(130)));
  process.once('SIGTERM', () => ending.abort(new Interrupted(143)));

  const redact = (text: string): string => text.replaceAll(given.key, '…');
  const progress = new Progress(process.stderr, redact);
  const say = (text: string): void => progress.say(text);
  const client = new ApiClient({ ...given, signal, say, patienceMs: PATIENCE_MS });
  const stop = (reason: Error): void => ending.abort(reason);
  try {
    await carryOut(path, given, { client, http, progress, signal, stop }, redact);
  } catch (error) {
    if (!(signal.reason instanceof Interrupted)) throw error;
    progress.say(signal.reason.message);
    process.exitCode = signal.reason.exitCode;
  } finally {
    progress.end();
    ending.abort();
  }
}

async function carryOut(
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
