import { createGuardedClient } from '../../adapters/http/guarded-client.ts';
import { ApiClient } from '../../packages/command/api-client.ts';
import { Incomplete } from '../../packages/command/incomplete.ts';
import type { Io } from '../../packages/command/io.ts';
import { Progress, untilInterrupted } from '../../packages/command/progress.ts';
import { exportSite } from './export.ts';
import type { ExportOptions } from './export.ts';

/** How long the API may be unavailable during an export. */
const PATIENCE_MS = 5 * 60_000;
/** For one page of articles, of at most 8 MiB. */
const TIMEOUT_MS = 120_000;

/** Exports a Site, and prints the report. @throws Incomplete if something cannot be imported or was not saved */
export async function exportFile(given: ExportOptions & { readonly key: string }, io: Io): Promise<void> {
  const ending = new AbortController();
  io.onInterrupt((reason) => ending.abort(reason));
  const { signal } = ending;
  const http = createGuardedClient({ userAgent: 'presswork-export', targets: { plainHttp: true } });
  signal.addEventListener('abort', () => void http.close());
  const progress = new Progress(io.stderr, (text) => text.replaceAll(given.key, '…'));
  const say = (text: string): void => progress.say(text);
  await untilInterrupted(ending, progress, async () => {
    const client = new ApiClient({ ...given, signal, say, patienceMs: PATIENCE_MS, timeoutMs: TIMEOUT_MS });
    const { report, complete } = await exportSite(given, { client, http, progress, signal });
    progress.end();
    io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    if (!complete) throw new Incomplete();
  });
}
