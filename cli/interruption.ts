import type { Progress } from './progress.ts';

/** The command was stopped by a signal. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('Interrupted. Run the same command again to continue.');
    this.exitCode = exitCode;
  }
}

/** Does the work of a command. @throws what the work throws, or Interrupted if that is why it has ended */
export async function untilInterrupted(
  ending: AbortController,
  progress: Progress,
  work: () => Promise<void>,
): Promise<void> {
  const { signal } = ending;
  try {
    await work();
  } catch (error) {
    throw signal.reason instanceof Interrupted ? signal.reason : error;
  } finally {
    progress.end();
    ending.abort();
  }
}
