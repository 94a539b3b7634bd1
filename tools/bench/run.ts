import { StartError } from '../dev/home.ts';

/** Registers a function that stops something; the last one runs first. */
export type OnEnd = (end: () => Promise<void>) => void;

/** Collects what stops something. @returns how to add to it, and how to stop everything, each once and the last first */
export function createEndings(): { readonly onEnd: OnEnd; readonly endEach: () => Promise<void> } {
  const ending: (() => Promise<void>)[] = [];
  return {
    onEnd: (end) => ending.push(end),
    async endEach() {
      for (let end = ending.pop(); end !== undefined; end = ending.pop()) await end();
    },
  };
}

/**
 * Runs a benchmark and exits with its exit code. Before that it stops everything it started, even if it fails or is
 * interrupted.
 */
export function run(main: (onEnd: OnEnd) => Promise<number>): void {
  const { onEnd, endEach } = createEndings();
  let ended: Promise<void> | undefined;
  const endAll = (): Promise<void> => (ended ??= endEach());
  const interrupted = (): void => void endAll().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupted);
  // The launcher was killed.
  process.on('disconnect', interrupted);
  main(onEnd)
    .finally(endAll)
    .then(
      (code) => process.exit(code),
      (error: unknown) => {
        console.error(error instanceof StartError ? error.message : error);
        process.exit(1);
      },
    );
}
