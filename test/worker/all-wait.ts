import { sleep } from '../support/temporal.ts';

const AGAIN_MS = 20;

/**
 * Waits until the workflows of all items wait for their time.
 *
 * @param until a time in milliseconds
 * @returns false if that came first: the machine is too slow for it
 */
export async function allWait<Item>(
  items: readonly Item[],
  waits: (item: Item) => Promise<boolean>,
  until: number,
): Promise<boolean> {
  for (const item of items)
    while (!(await waits(item))) {
      if (Date.now() > until) return false;
      await sleep(AGAIN_MS);
    }
  return Date.now() < until;
}
