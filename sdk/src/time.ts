/** A timer takes no more; it would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Resolves after a time. @throws the reason of the signal as soon as it is aborted */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return within(Infinity, signal, (ending) => {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, LONGEST_MS));
      ending.addEventListener('abort', () => clearTimeout(timer));
    });
  });
}

/**
 * Runs something until the signal is aborted or the time is over, even if it does not listen to the signal that it gets.
 *
 * @throws the reason of the signal, or `late`
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
  late?: Error,
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown): void => {
      reject(reason);
      ending.abort(reason);
    };
    if (ms < Infinity) timer = setTimeout(end, Math.min(ms, LONGEST_MS), late);
    abort = () => end(signal?.reason);
    signal?.addEventListener('abort', abort);
  });
  try {
    return await Promise.race([ended, run(ending.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
