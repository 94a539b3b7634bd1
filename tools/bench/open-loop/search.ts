export interface Tried {
  readonly rate: number;
  readonly held: boolean;
}

export interface Found<T extends Tried> {
  /** The measurement at the highest rate that held for the longer time; null if none did. */
  readonly best: T | null;
  readonly tried: readonly T[];
}

const GROWTH = 1.6;
/** The search ends when the highest rate that held and the lowest that did not are this close. */
const NEAR = 1.06;
const STEP_BACK = 0.94;
/** A rate that held briefly by luck is abandoned after this many steps down. */
const CONFIRMATIONS = 6;

/**
 * Finds the highest rate that holds: goes up in steps until one does not, bisects, and confirms the result for longer,
 * going down a little each time until it holds.
 *
 * @param attempt tries a rate, briefly or for longer
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
