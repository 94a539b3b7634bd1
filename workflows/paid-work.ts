import { ActivityFailure, isCancellation } from '@temporalio/workflow';

/** For activities that only write to the database, which may be unavailable for four hours. */
export const storing = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', maximumAttempts: 500 },
} as const;

/**
 * For steps that are paid for. The activity decides how often one is tried; the heartbeat detects a dead worker. The
 * number of attempts ends a step whose activity never returns to decide.
 */
export const stepping = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '1 minute', maximumAttempts: 100 },
} as const;

/** Wait before retrying a step whose Site is at its limit of concurrent steps; doubled each time. */
export const SHARE_WAIT_S = 2;
export const LONGEST_SHARE_WAIT_S = 30;

/** @returns the result of an activity, or what stands for it if it fails for good */
export async function orElse<Result, Instead>(
  result: Promise<Result>,
  instead: (failure: ActivityFailure) => Instead | Promise<Instead>,
): Promise<Result | Instead> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return instead(error);
  }
}
