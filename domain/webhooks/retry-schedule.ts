/** The most attempts for an event and endpoint (docs/spec/service-api.md, Limits). */
export const ATTEMPT_LIMIT = 6;

/** How many failed attempts in a row disable an endpoint (docs/spec/service-api.md, Limits). */
export const FAILURE_LIMIT = 12;

const JITTER = 0.25;

/** Milliseconds before attempts 2 to 6 (docs/spec/rulings.md, 7). */
export const defaultRetryDelays: readonly number[] = [10_000, 60_000, 600_000, 3_600_000, 21_600_000];

/**
 * When the attempt after a failed one is due: the decided delay with up to a quarter more, so that attempts that failed
 * together are not repeated together.
 *
 * @param attempt number of the attempt that failed, from 1
 * @param random uniform in [0, 1)
 * @returns null if it was the last
 */
export function nextAttemptAt(
  delays: readonly number[],
  attempt: number,
  failedAt: Date,
  random: () => number = Math.random,
): Date | null {
  const delay = attempt >= ATTEMPT_LIMIT ? undefined : delays[attempt - 1];
  return delay === undefined
    ? null
    : new Date(failedAt.getTime() + Math.round(delay * (1 + random() * JITTER)));
}
