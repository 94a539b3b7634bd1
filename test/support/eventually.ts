import { setTimeout as sleep } from 'node:timers/promises';

/** Below jest's own limit, so that the failed condition is named. For hanging code, not for slow code. */
const HUNG_MS = 100_000;
/** Looks become as rare as this: a key that looks by the API may read 600 times a minute. */
const SELDOM_MS = 250;

/** Waits until a condition holds, even on a slow machine. @throws Error naming the condition */
export async function eventually(what: string, holds: () => unknown, everyMs = 20): Promise<void> {
  const end = Date.now() + HUNG_MS;
  for (let pause = everyMs; !(await holds()); pause = Math.max(everyMs, Math.min(pause * 1.2, SELDOM_MS))) {
    if (Date.now() > end) throw new Error(`Not within ${HUNG_MS} ms: ${what}`);
    await sleep(pause);
  }
}
