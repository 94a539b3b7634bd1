import { ApiClient } from './api-client.ts';
import { Interrupted } from './interruption.ts';
import type { Io } from './io.ts';
import { Progress } from './progress.ts';

/** How long the API may be unavailable during an import or export. */
const PATIENCE_MS = 5 * 60_000;

export interface TransferPorts {
  readonly client: ApiClient;
  readonly progress: Progress;
  /** Aborted at the end too, for what would keep the process. */
  readonly signal: AbortSignal;
  readonly stop: (reason: Error) => void;
}

interface TransferOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly timeoutMs?: number;
}

/** Runs an import or export. @throws what it throws, or Interrupted if that is why it has ended */
export async function transfer(
  { baseUrl, key, timeoutMs }: TransferOptions,
  io: Io,
  work: (ports: TransferPorts) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const stop = (reason: Error): void => ending.abort(reason);
  io.onInterrupt(stop);
  const { signal } = ending;
  const progress = new Progress(io.stderr, (text) => text.replaceAll(key, '…'));
  const say = (text: string): void => progress.say(text);
  try {
    const client = new ApiClient({ baseUrl, key, signal, say, patienceMs: PATIENCE_MS, timeoutMs });
    await work({ client, progress, signal, stop });
  } catch (error) {
    throw signal.reason instanceof Interrupted ? signal.reason : error;
  } finally {
    progress.end();
    ending.abort();
  }
}
