import { createBatcher } from './batcher.ts';
import type { CoalescedRead } from './coalesced-query.ts';

type Values = readonly unknown[];
type Rows = readonly object[];

/** Maximum number of sets of values in one round trip. */
const MAX_BATCH = 32;

/**
 * Combines concurrent reads that differ only in their values into one statement: most of the cost of a read is waking
 * both processes (docs/decisions/0025). A read that arrives alone runs as its own plain statement.
 *
 * @param run runs a statement
 */
export function createCoalescedReads(
  run: (text: string, values: Values) => Promise<Rows>,
): (read: CoalescedRead, values: Values) => Promise<Rows> {
  const batchers = new WeakMap<CoalescedRead, (values: Values) => Promise<Rows>>();
  return (read, values) => {
    let ask = batchers.get(read);
    if (ask === undefined) {
      ask = createBatcher((asked: readonly Values[]) => readTogether(read, asked, run), { most: MAX_BATCH });
      batchers.set(read, ask);
    }
    return ask(values);
  };
}

/** @returns the rows of each set of values, in their order */
async function readTogether(
  read: CoalescedRead,
  asked: readonly Values[],
  run: (text: string, values: Values) => Promise<Rows>,
): Promise<readonly Rows[]> {
  const { distinct, places } = withoutRepeats(asked);
  const [first] = distinct;
  if (distinct.length === 1 && first !== undefined) {
    const rows = await run(read.text, first);
    return asked.map(() => rows);
  }
  const arrays = read.types.map((_, index) => distinct.map((values) => values[index]));
  const rows = await run(read.textForSets, arrays);
  const answers = distinct.map((): object[] => []);
  for (const row of rows as readonly Numbered[]) answers[row.set_number - 1]?.push(row);
  return places.map((place) => answers[place] as Rows);
}

/** Reads equal sets once. @returns the distinct sets, and the index among them of each set */
function withoutRepeats(asked: readonly Values[]): {
  distinct: readonly Values[];
  places: readonly number[];
} {
  const known = new Map<string, number>();
  const distinct: Values[] = [];
  const places = asked.map((values) => {
    const name = JSON.stringify(values);
    let place = known.get(name);
    if (place === undefined) {
      place = distinct.push(values) - 1;
      known.set(name, place);
    }
    return place;
  });
  return { distinct, places };
}

interface Numbered {
  /** The number of the set of values that the row belongs to, from 1. */
  readonly set_number: number;
}
