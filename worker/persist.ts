import { setTimeout } from 'node:timers/promises';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Retries until it succeeds, with pauses that grow to 5 s.
 *
 * @param failed called for each failed attempt
 * @throws the signal's reason
 */
export async function persist<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
  failed: (error: unknown) => void,
): Promise<Result> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      failed(error);
    }
    await setTimeout(pause, undefined, { signal });
  }
}
