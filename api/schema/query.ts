import { z } from 'zod';

const DEFAULT_LIMIT = 20;
const MAXIMUM_LIMIT = 100;

export const cursor = z
  .string()
  .meta({ description: 'next_cursor of the page before, unchanged.' })
  .optional();

/** Rows a page; larger values are clamped (specification, Conventions), below 1 or no integer is 400 (decisions 1). */
export const limit = (fallback = DEFAULT_LIMIT) =>
  z
    .string()
    .regex(/^0*[1-9]\d*$/, 'must be an integer from 1 to 100')
    .transform((value) => Math.min(Number(value), MAXIMUM_LIMIT))
    .meta({ description: `Rows a page: default ${fallback}, at most ${MAXIMUM_LIMIT}; more is clamped.` })
    .default(fallback);

/** An allow list of members; `id` is always returned. */
export const fields = <const Names extends readonly string[]>(names: Names) =>
  z
    .string()
    .transform((value, context) => {
      const asked = value.split(',').map((name) => name.trim());
      const unknown = asked.filter((name) => !names.includes(name));
      if (unknown.length === 0) return new Set(['id', ...asked]);
      context.addIssue({
        code: 'custom',
        message: `has names that are no fields here (${unknown
          .slice(0, 5)
          .map((name) => JSON.stringify(name.slice(0, 40)))
          .join(', ')}). Fields are ${names.join(', ')}`,
      });
      return z.NEVER;
    })
    .meta({ description: `Comma-separated names out of: ${names.join(', ')}.` })
    .optional();

/** The members of a presented object that were asked for; without a choice, all. */
export function project<T extends object>(presented: T, names: ReadonlySet<string> | undefined): Partial<T> {
  if (names === undefined) return presented;
  const chosen: Partial<T> = {};
  for (const name in presented) if (names.has(name)) chosen[name] = presented[name];
  return chosen;
}
