import { ActivityFailure, isCancellation, TemporalFailure } from '@temporalio/workflow';

const LONGEST = 300;

/**
 * Why an activity failed, for an operator: the cause for a normal activity, the failure itself for a local one.
 *
 * @throws the error if it is anything else, such as a cancellation of the workflow
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
  const failure = error instanceof ActivityFailure ? (error.cause ?? error) : error;
  return failure.message.slice(0, LONGEST);
}
