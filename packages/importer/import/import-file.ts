import { writeFileSync } from 'node:fs';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { ApiClient } from '../../command/api-client.ts';
import { Incomplete } from '../../command/incomplete.ts';
import { Interrupted } from '../../command/interruption.ts';
import type { Io } from '../../command/io.ts';
import { prepareImport } from './prepare.ts';
import type { ImportOptions, ImportPorts } from './prepare.ts';
import { Progress, untilInterrupted } from '../../command/progress.ts';
import { summaryOf } from './report.ts';
import type { ImportReport } from './report.ts';
import { runImport } from './run.ts';

/** How long the API may be unavailable during an import. */
const PATIENCE_MS = 5 * 60_000;

/** Imports a file, and prints the report. @throws Incomplete if an entry was refused */
export async function importFile(path: string, given: ImportOptions, io: Io): Promise<void> {
  const ending = new AbortController();
  io.onInterrupt((reason) => ending.abort(reason));
  const { signal } = ending;
  const http = createGuardedClient({
    userAgent: 'presswork-import',
    targets: { plainHttp: true, privateAddresses: given.allowPrivateImages ?? false },
  });
  signal.addEventListener('abort', () => void http.close());

  const redact = (text: string): string => text.replaceAll(given.key, '…');
  const progress = new Progress(io.stderr, redact);
  const say = (text: string): void => progress.say(text);
  const client = new ApiClient({ ...given, signal, say, patienceMs: PATIENCE_MS });
  const stop = (reason: Error): void => ending.abort(reason);
  await untilInterrupted(ending, progress, async () => {
    const { report, summary } = await importAll(path, given, { client, http, progress, signal, stop });
    const json = redact(`${JSON.stringify(report, null, 2)}\n`);
    if (given.report !== undefined) writeFileSync(given.report, json);
    progress.say(summary);
    io.stdout.write(json);
    if (report.refused.length > 0) throw new Incomplete();
  });
}

async function importAll(
  path: string,
  given: ImportOptions,
  ports: ImportPorts,
): Promise<{ report: ImportReport; summary: string }> {
  const job = await prepareImport(path, given, ports);
  const ended = await runImport(job);
  if (ended instanceof Interrupted) throw ended;
  if (ended !== null) ports.progress.say(ended.message);
  const report = job.tally.report(job.images.report());
  return { report, summary: summaryOf(report, job.dryRun) };
}
