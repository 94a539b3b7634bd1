import { createBatcher } from './batcher.ts';
import { loopOver } from './value-sets.ts';
import type { Composed } from './value-sets.ts';

/** Runs a composed statement. */
type Run = (statement: Composed) => Promise<readonly object[]>;

/** Statements that one round trip carries at most. */
const TOGETHER = 32;
/** Texts that are told apart; what comes beyond runs alone. */
const TEXTS = 400;

/**
 * Has reads that come together, and differ in their values alone, travel as one statement: what a read costs
 * both processes is, for the most part, waking each other (docs/decisions/0025). One that comes alone runs as it is.
 *
 * @returns runs a statement of which every parameter carries its type, as in `$slonik_1::uuid`
 */
export function createSharedReads(run: Run): Run {
  const batchers = new Map<string, Run>();
  return (statement) => {
    let ask = batchers.get(statement.text);
    if (ask === undefined) {
      if (batchers.size >= TEXTS) return run(statement);
      ask = shareable(statement.text, run);
      batchers.set(statement.text, ask);
    }
    return ask(statement);
  };
}

function shareable(text: string, run: Run): Run {
  const loop = loopOver(text);
  return createBatcher(
    async (asked: readonly Composed[]) => {
      const { distinct, places } = withoutRepeats(asked);
      const [first] = distinct;
      if (distinct.length === 1 && first !== undefined) {
        const rows = await run(first);
        return asked.map(() => rows);
      }
      const rows = await run(loop(distinct.map(({ values }) => values)));
      const answers = distinct.map((): object[] => []);
      for (const row of rows as readonly Numbered[]) answers[row.shared_read - 1]?.push(row);
      return places.map((place) => answers[place] as readonly object[]);
    },
    { most: TOGETHER },
  );
}

/** What several ask at the same moment is read once. @returns each question once, and where among them each stands */
function withoutRepeats(asked: readonly Composed[]): {
  distinct: readonly Composed[];
  places: readonly number[];
} {
  const known = new Map<string, number>();
  const distinct: Composed[] = [];
  const places = asked.map((statement) => {
    const name = JSON.stringify(statement.values);
    let place = known.get(name);
    if (place === undefined) {
      place = distinct.push(statement) - 1;
      known.set(name, place);
    }
    return place;
  });
  return { distinct, places };
}

interface Numbered {
  /** Which set of values the row is for, from 1. */
  readonly shared_read: number;
}
