import { checkObjects } from './invariants/objects.ts';
import { checkEvents } from './invariants/events.ts';
import { checkLedger } from './invariants/ledger.ts';
import { checkWorkflows } from './invariants/workflows.ts';
import { checkWrites } from './invariants/writes.ts';
import { settle } from './settle.ts';
import type { World } from './world.ts';

/**
 * What holds after every fault: nothing that was answered is lost or done twice, nothing is stuck, and nobody was
 * told what is not so. Ends the load first.
 *
 * @returns each way in which it does not hold; empty where all is well
 */
export async function violations(world: World): Promise<string[]> {
  await world.load.stop();
  await settle(world);
  const found = await Promise.all([
    checkWrites(world),
    checkEvents(world),
    checkLedger(world),
    checkObjects(world),
    checkWorkflows(world),
  ]);
  const { client, load } = world;
  return [
    ...load.failures.map((failure) => `a client gave up: ${failure}`),
    ...client.takeWrong(),
    ...found.flat(),
  ];
}
