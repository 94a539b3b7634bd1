import { ActivityFailure, ApplicationFailure, sleep } from '@temporalio/workflow';
import { reasonOf } from './reason.ts';

const PAUSE = '5 minutes';

/**
 * Repeats an activity whose attempts are used up, every five minutes: for work that has to be done, however long the
 * outage.
 *
 * @param failing called with the reason each time
 * @throws an error that the activity itself calls final, which fails the workflow
 */
export async function untilItSucceeds<Result>(
  work: () => Promise<Result>,
  failing: (reason: string) => void,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isFinal(error)) throw error;
      failing(reasonOf(error));
      await sleep(PAUSE);
    }
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  error.cause instanceof ApplicationFailure &&
  error.cause.nonRetryable === true;
