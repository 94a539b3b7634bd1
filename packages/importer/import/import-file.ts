import { writeFileSync } from 'node:fs';
import { createGuardedClient } from '../../../adapters/http/guarded-client.ts';
import { Incomplete } from '../../command/incomplete.ts';
import { Interrupted } from '../../command/interruption.ts';
import type { Io } from '../../command/io.ts';
import { transfer } from '../../command/transfer.ts';
import { prepareImport } from './prepare.ts';
import type { ImportOptions, ImportPorts } from './prepare.ts';
import { summaryOf } from './report.ts';
import type { ImportReport } from './report.ts';
import { runImport } from './run.ts';

/** Imports a file, and prints the report. @throws Incomplete if an entry was refused */
export const importFile = (path: string, given: ImportOptions, io: Io): Promise<void> =>
  transfer(given, io, async (ports) => {
    const { progress, signal } = ports;
    const http = createGuardedClient({
      userAgent: 'presswork-import',
      targets: { plainHttp: true, privateAddresses: given.allowPrivateImages ?? false },
    });
    signal.addEventListener('abort', () => void http.close());
    const { report, summary } = await importAll(path, given, { ...ports, http });
    const json = `${JSON.stringify(report, null, 2)}\n`.replaceAll(given.key, '…');
    if (given.report !== undefined) writeFileSync(given.report, json);
    progress.say(summary);
    io.stdout.write(json);
    if (report.refused.length > 0) throw new Incomplete();
  });

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
