import { isDeepStrictEqual } from 'node:util';

/** The details of an audited change, by the names of the members. */
export type Details = Readonly<Record<string, unknown>>;

/** The longest value that the log shows, in characters (docs/spec/rulings.md, 14). */
const LONGEST = 200;

/**
 * A value as the log shows it: more than 200 characters (of JSON, for lists and objects) are replaced by their number.
 */
export function shown(value: unknown): unknown {
  if (value === undefined) return null;
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  if (typeof text !== 'string' || text.length <= LONGEST) return value;
  const characters = charactersIn(text);
  return characters > LONGEST ? characters : value;
}

/** The values before and after an update, for the members that differ. */
export function differences<Row extends object>(
  before: Row,
  after: Row,
  names: readonly (keyof Row & string)[],
): Details {
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(
    changed.map((name) => [name, { before: shown(plain(before[name])), after: shown(plain(after[name])) }]),
  );
}

/** The values at creation or deletion, without empty ones. */
export const values = <Row extends object>(row: Row, names: readonly (keyof Row & string)[]): Details =>
  Object.fromEntries(
    names
      .map((name) => [name, plain(row[name])] as const)
      .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
      .map(([name, value]) => [name, shown(value)]),
  );

const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));

/** The length in code points: characters outside the basic plane are two units of a string. */
const charactersIn = (text: string): number =>
  text.length - (text.match(/[\uD800-\uDBFF](?=[\uDC00-\uDFFF])/g)?.length ?? 0);
