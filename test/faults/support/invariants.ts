import { checkObjects } from './invariants/objects.ts';
import { checkEvents } from './invariants/events.ts';
import { checkLedger } from './invariants/ledger.ts';
import { checkWorkflows } from './invariants/workflows.ts';
import { checkWrites } from './invariants/writes.ts';
import { settle } from './settle.ts';
import type { Stack } from './stack.ts';

/**
 * The invariants after every fault: no answered write is lost or done twice, nothing is stuck, and no answer was wrong.
 * Ends the load first.
 *
 * @returns every violation
 */
export async function violations(stack: Stack): Promise<string[]> {
  await stack.load.stop();
  await settle(stack);
  const found = await Promise.all([
    checkWrites(stack),
    checkEvents(stack),
    checkLedger(stack),
    checkObjects(stack),
    checkWorkflows(stack),
  ]);
  const { client, prober, visitor, load } = stack;
  return [
    ...load.failures.map((failure) => `a client gave up: ${failure}`),
    ...[client, prober, visitor].flatMap((each) => each.takeWrong()),
    ...found.flat(),
  ];
}
