import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { Incomplete } from '../../packages/command/incomplete.ts';
import type { Io } from '../../packages/command/io.ts';
import { transfer } from '../../packages/command/transfer.ts';
import { exportSite } from './export.ts';
import type { ExportOptions } from './export.ts';

/** For one page of articles, of at most 8 MiB. */
const TIMEOUT_MS = 120_000;

/** Exports a Site, and prints the report. @throws Incomplete if something cannot be imported or was not saved */
export const exportFile = (given: ExportOptions & { readonly key: string }, io: Io): Promise<void> =>
  transfer({ ...given, timeoutMs: TIMEOUT_MS }, io, async ({ client, progress, signal }) => {
    const http = createGuardedClient({ userAgent: 'presswork-export', targets: { plainHttp: true } });
    signal.addEventListener('abort', () => void http.close());
    const { report, complete } = await exportSite(given, { client, http, progress, signal });
    progress.end();
    io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    if (!complete) throw new Incomplete();
  });
