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
  const { types, body } = parametersOf(text);
  const columns = [...types.keys()].map((index) => `p${index + 1}`);
  const loop = `
    select asked.shared_read::int4, found.*
    from ${unnested(types)} with ordinality as asked (${[...columns, 'shared_read'].join(', ')})
    cross join lateral (${body}) found`;
  return (sets) => ({ text: loop, values: transposed(types, sets) });
}

/**
 * The insertion of one row, as that of several.
 *
 * @param text `insert into table (columns) select values`, of which every parameter carries its type
 * @returns null where the statement is another
 */
export function insertAll(text: string): ForSets | null {
  if (!ROW_INSERTION.test(text)) return null;
  const { types, body } = parametersOf(text);
  const columns = [...types.keys()].map((index) => `p${index + 1}`);
  const insertion = `${body} from ${unnested(types)} as asked (${columns.join(', ')})`;
  return (sets) => ({ text: insertion, values: transposed(types, sets) });
}

/** @returns the types of a statement's parameters, and its text with the columns of `asked` in their place */
function parametersOf(text: string): { types: readonly string[]; body: string } {
  const types: string[] = [];
  for (const [parameter, number, type] of text.matchAll(PARAMETER)) {
    if (type === undefined)
      throw new Error(`A statement for sets of values needs the type of ${parameter}: ${text}`);
    types[Number(number) - 1] = type;
  }
  return { types, body: text.replaceAll(PARAMETER, 'asked.p$1') };
}

/**
 * The arrays are selected to hide their lengths from the planner, which would plan anew each time: for a short array, that
 * looks cheaper than it is.
 */
const unnested = (types: readonly string[]): string =>
  `unnest(${types.map((type, index) => `(select $slonik_${index + 1}::${type}[])`).join(', ')})`;

const transposed = (types: readonly string[], sets: readonly (readonly unknown[])[]): readonly unknown[] =>
  types.map((_, index) => sets.map((values) => values[index]));
