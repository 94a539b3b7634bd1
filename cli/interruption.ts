import type { Progress } from './progress.ts';

/** The command was stopped by a signal. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('Interrupted. Run the same command again to continue.');
    this.exitCode = exitCode;
  }
}

/** A controller that Ctrl-C and SIGTERM abort, with an Interrupted as the reason. */
export function abortOnSignals(): AbortController {
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort(new Interrupted(130)));
  process.once('SIGTERM', () => ending.abort(new Interrupted(143)));
  return ending;
}

/** Does the work of a command. If a signal stops it, says so and sets the exit code. @throws what else the work throws */
export async function untilInterrupted(
  ending: AbortController,
  progress: Progress,
  work: () => Promise<void>,
): Promise<void> {
  const { signal } = ending;
  try {
    await work();
  } catch (error) {
    if (!(signal.reason instanceof Interrupted)) throw error;
    progress.say(signal.reason.message);
    process.exitCode = signal.reason.exitCode;
  } finally {
    progress.end();
    ending.abort();
  }
}
