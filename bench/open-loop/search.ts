/** What is said of a rate that was tried. */
export interface Tried {
  readonly rate: number;
  readonly held: boolean;
}

export interface Found<T extends Tried> {
  /** What was measured at the highest rate that held for longer; null where none did. */
  readonly best: T | null;
  readonly tried: readonly T[];
}

const GROWTH = 1.6;
/** How near the highest rate that held and the lowest that did not have to come. */
const NEAR = 1.06;
const STEP_BACK = 0.94;
/** A rate that holds for seconds by luck is given up after so many steps back. */
const CONFIRMATIONS = 6;

/**
 * Finds the highest rate that holds: up by steps until one does not, then between the two, and in the end for longer, a little
 * lower each time until it holds there, too.
 *
 * @param attempt tries a rate, shortly or for longer
 */
export async function findRate<T extends Tried>(
  first: number,
  attempt: (rate: number, longer: boolean) => Promise<T>,
): Promise<Found<T>> {
  const tried: T[] = [];
  const holds = async (rate: number): Promise<boolean> => {
    const outcome = await attempt(Math.round(rate), false);
    tried.push(outcome);
    return outcome.held;
  };
  let [low, high] = [0, first];
  while (await holds(high)) [low, high] = [high, high * GROWTH];
  while (high > Math.max(low, 1) * NEAR) {
    const middle = low === 0 ? high / 2 : (low + high) / 2;
    if (await holds(middle)) low = middle;
    else high = middle;
  }
  for (let times = 0, rate = low; times < CONFIRMATIONS && rate >= 1; times += 1, rate *= STEP_BACK) {
    const outcome = await attempt(Math.round(rate), true);
    tried.push(outcome);
    if (outcome.held) return { best: outcome, tried };
  }
  return { best: null, tried };
}
