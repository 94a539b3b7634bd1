/** A composed statement: its text with $slonik_1, $slonik_2, …, and a value for each. */
export interface Composed {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Composes one statement that does for several sets of values what another does for one. */
export type ForSets = (sets: readonly (readonly unknown[])[]) => Composed;

const PARAMETER = /\$slonik_(\d+)(?:::(\w+))?/g;
/** Behind what is selected there is nothing, so that `from` can go there. */
const ROW_INSERTION =
  /^\s*insert into \w+\s*\([\w\s,]+\)\s*select\b(?!.*\b(?:from|where|group|order|limit|union|on|returning)\b)/s;

/**
 * A statement as a loop over sets of values. What it gives for each set comes in the order of the statement itself:
 * a loop over a function's rows is all that a lateral subquery can be planned as.
 *
 * @returns composes it; its rows also have `shared_read`, the number of their set, from 1
 * @throws Error for a parameter without a type: a defect
 */
export function loopOver(text: string): ForSets {
  const { body, unnested, columns, valuesOf } = overSets(text);
  const loop = `
    select asked.shared_read::int4, found.*
    from ${unnested} with ordinality as asked (${[...columns, 'shared_read'].join(', ')})
    cross join lateral (${body}) found`;
  return (sets) => ({ text: loop, values: valuesOf(sets) });
}

/**
 * The insertion of one row, as that of several.
 *
 * @param text `insert into table (columns) select values`, of which every parameter carries its type
 * @returns null where the statement is another
 */
export function insertAll(text: string): ForSets | null {
  if (!ROW_INSERTION.test(text)) return null;
  const { body, unnested, columns, valuesOf } = overSets(text);
  const insertion = `${body} from ${unnested} as asked (${columns.join(', ')})`;
  return (sets) => ({ text: insertion, values: valuesOf(sets) });
}

/** The parts of a statement over sets of values: its text, which reads them from `asked`, and what `asked` is. */
interface OverSets {
  readonly body: string;
  /** An array for each parameter. */
  readonly unnested: string;
  readonly columns: readonly string[];
  readonly valuesOf: (sets: readonly (readonly unknown[])[]) => readonly unknown[];
}

function overSets(text: string): OverSets {
  const types: string[] = [];
  for (const [parameter, number, type] of text.matchAll(PARAMETER)) {
    if (type === undefined)
      throw new Error(`A statement for sets of values needs the type of ${parameter}: ${text}`);
    types[Number(number) - 1] = type;
  }
  // The arrays are selected to hide their lengths from the planner, which would plan anew each time: for a short
  // array, that looks cheaper than it is.
  const arrays = types.map((type, index) => `(select $slonik_${index + 1}::${type}[])`);
  return {
    body: text.replaceAll(PARAMETER, 'asked.p$1'),
    unnested: `unnest(${arrays.join(', ')})`,
    columns: types.map((_, index) => `p${index + 1}`),
    valuesOf: (sets) => types.map((_, index) => sets.map((values) => values[index])),
  };
}
