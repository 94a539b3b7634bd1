import { createBatcher } from './batcher.ts';

/** A composed statement: its text with $slonik_1, $slonik_2, …, and a value for each. */
export interface Composed {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs a composed statement. */
type Run = (statement: Composed) => Promise<readonly object[]>;

/** Statements that one round trip carries at most. */
const TOGETHER = 32;
/** Texts that are told apart; what comes beyond runs alone. */
const TEXTS = 400;

const PARAMETER = /\$slonik_(\d+)(?:::(\w+))?/g;

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

/**
 * A statement as a loop over sets of values. What it gives for each set comes in the order of the statement itself:
 * a loop over a function's rows is all that a lateral subquery can be planned as. The arrays are selected to hide their
 * lengths from the planner, which would plan anew each time: for a short array, that looks cheaper than it is.
 *
 * @throws Error for a parameter without a type: a defect
 */
export function loopOver(text: string): (sets: readonly (readonly unknown[])[]) => Composed {
  const types: string[] = [];
  for (const [parameter, number, type] of text.matchAll(PARAMETER)) {
    if (type === undefined) throw new Error(`A shared read needs the type of ${parameter}: ${text}`);
    types[Number(number) - 1] = type;
  }
  const loop = `
    select asked.shared_read::int4, found.*
    from unnest(${types.map((type, index) => `(select $slonik_${index + 1}::${type}[])`).join(', ')}) with ordinality
      as asked (${types.map((_, index) => `p${index + 1}`).join(', ')}, shared_read)
    cross join lateral (${text.replaceAll(PARAMETER, 'asked.p$1')}) found`;
  return (sets) => ({ text: loop, values: types.map((_, index) => sets.map((values) => values[index])) });
}
