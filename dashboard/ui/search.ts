/** The members of an address after its `?`: a reader for each name. Wrong values are dropped, and the rest is kept. */
type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

export type SearchOf<R extends Readers> = { [Name in keyof R]?: Exclude<ReturnType<R[Name]>, undefined> };

/** For `validateSearch` of a route. */
export const search =
  <R extends Readers>(readers: R) =>
  (input: Record<string, unknown>): SearchOf<R> => {
    const read = Object.entries(readers).map(([name, reader]) => [name, reader(input[name])] as const);
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as SearchOf<R>;
  };

/** Text that is not empty. */
export const text = (value: unknown): string | undefined => {
  // The router reads ?q=2026 as a number.
  const read = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof read === 'string' && read !== '' ? read : undefined;
};

export const oneOf =
  <const Value extends string>(values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((known) => known === value);

/** Several of them; none is the same as nothing said. */
export const someOf =
  <const Value extends string>(values: readonly Value[]) =>
  (value: unknown): readonly Value[] | undefined => {
    const given = Array.isArray(value) ? value : [value];
    const known = values.filter((each) => given.includes(each));
    return known.length > 0 ? known : undefined;
  };

/** True, or not there. */
export const flag = (value: unknown): true | undefined => (value === true ? true : undefined);
