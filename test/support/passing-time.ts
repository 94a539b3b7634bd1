import { setTimeout as sleep } from 'node:timers/promises';

const { now } = performance;
let ahead = 0;

/**
 * Lets time pass for what measures it by `performance.now()`, such as a cache. The clock stays ahead, as it never goes
 * back.
 */
export async function letPass(ms: number): Promise<void> {
  ahead += ms;
  performance.now = () => now.call(performance) + ahead;
  // The caches look at the clock once a millisecond.
  await sleep(5);
}
