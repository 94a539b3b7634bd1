import { condition } from '@temporalio/workflow';

/** Go's durations end at 292 years, so a longer wait is split. */
const LONGEST_WAIT_MS = 365 * 24 * 60 * 60_000;
/** Wait before another look if the worker's clock is behind the server's. Doubled each time: it may be far behind. */
export const SHORTEST_SKEW_MS = 50;
export const LONGEST_SKEW_MS = 1_000;

/** @returns true if the schedule changed before its time, or the time is further away than one wait */
export async function changeOrTime(changed: () => boolean, due: string): Promise<boolean> {
  const remaining = Date.parse(due) - Date.now();
  if (remaining <= 0) return false;
  const woken = await condition(changed, Math.min(remaining, LONGEST_WAIT_MS));
  return woken || remaining > LONGEST_WAIT_MS;
}
