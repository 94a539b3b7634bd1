import { StartError } from '../dev/home.ts';

/** Registers a function that stops something; the last one runs first. */
export type OnEnd = (end: () => Promise<void>) => void;

/**
 * Runs a benchmark and exits with its exit code. Before that it stops everything it started, even if it fails or is
 * interrupted.
 */
export function run(main: (onEnd: OnEnd) => Promise<number>): void {
  const ending: (() => Promise<void>)[] = [];
  let ended: Promise<void> | undefined;
  const endEach = async (): Promise<void> => {
    for (const end of ending.toReversed()) await end();
  };
  const endAll = (): Promise<void> => (ended ??= endEach());
  const interrupted = (): void => void endAll().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupted);
  // The launcher was killed.
  process.on('disconnect', interrupted);
  main((end) => ending.push(end))
    .finally(endAll)
    .then(
      (code) => process.exit(code),
      (error: unknown) => {
        console.error(error instanceof StartError ? error.message : error);
        process.exit(1);
      },
    );
}
