import { setTimeout as sleep } from 'node:timers/promises';
import { violations } from './invariants.ts';
import { recovery } from './recovery.ts';
import type { Stack } from './stack.ts';

/** Before a fault and after the recovery: long enough for each kind of client to be busy. */
const UNDER_LOAD_MS = 1_200;

/**
 * Injects a fault into the product under load, and fails unless it recovers by itself and all invariants hold.
 *
 * @param fault resolves once it is over
 * @param deaths the processes that may end during the fault
 */
export async function survives(
  stack: Stack,
  name: string,
  fault: () => Promise<void>,
  deaths: readonly string[] = [],
): Promise<void> {
  const { client, load, product } = stack;
  const before = { ...client.counts };
  const diedBefore = product.deaths().length;
  load.start();
  await sleep(UNDER_LOAD_MS);
  const begun = Date.now();
  await fault();
  const over = Date.now();
  const recovered = await recovery(stack);
  await sleep(UNDER_LOAD_MS);
  expect(await violations(stack)).toEqual([]);
  const unexpected = product
    .deaths()
    .slice(diedBefore)
    .filter((line) => !deaths.some((process) => line.startsWith(`${process} ended`)));
  expect(unexpected).toEqual([]);
  const answered = client.counts.answered - before.answered;
  const refused = client.counts.unavailable - before.unavailable;
  const lost = client.counts.disconnected - before.disconnected;
  say(
    `${name}: lasted ${over - begun} ms, recovered after ${recovered} ms, at rest after ${Date.now() - over} ms; ` +
      `${answered} answers, ${refused} times 503, ${lost} connections lost`,
  );
}

/** Bypasses the reporter, which shows nothing before a file is done. */
export function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}
