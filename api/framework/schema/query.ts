import { z } from 'zod';
import { text } from '../../../packages/base/fields.ts';

const DEFAULT_LIMIT = 20;
/** A page has so many items at most; a larger limit counts as this one. */
export const MAXIMUM_LIMIT = 100;

export const cursor = z
  .string()
  .meta({
    description: 'The next_cursor of the previous page, unchanged; any other text is 400.',
    pattern: '^[A-Za-z0-9_-]{23,}$',
  })
  .optional();

/**
 * Items per page. Larger values are clamped (docs/spec/service-api.md, Conventions); other values are 400
 * (docs/spec/rulings.md, 1).
 */
export const limit = (fallback = DEFAULT_LIMIT) =>
  z
    .string()
    .regex(/^0*[1-9]\d*$/, 'must be an integer from 1 to 100')
    .transform((value) => Math.min(Number(value), MAXIMUM_LIMIT))
    .meta({
      type: 'integer',
      minimum: 1,
      description: `Items per page, at most ${MAXIMUM_LIMIT}: a larger value counts as ${MAXIMUM_LIMIT}.`,
    })
    .default(fallback);

/** The search of a list (docs/spec/rulings.md, 15). @param description how */
export const search = (description: string) =>
  text(200, 1)
    .refine((value) => value === '' || value.trim() !== '', { error: 'must not be blank' })
    .meta({ description, minLength: 1, maxLength: 200 })
    .optional();

/** The web-search syntax, for a parameter's description. */
export const webSearch =
  'Words that all have to occur, `"phrases"`, `-word` for what must not, and `or`; without regard to case and accents. The last word matches the beginning of a word. A search has a second (503 beyond that).';

/** The query of a list without filters. */
export const PageQuery = z.strictObject({ cursor, limit: limit() });

/** The requested members; `id` is always returned. */
export const fields = <const Names extends readonly string[]>(names: Names) =>
  z
    .string()
    .transform((value, context) => {
      const asked = value.split(',').map((name) => name.trim());
      const unknown = asked.filter((name) => !names.includes(name));
      if (unknown.length === 0) return new Set(['id', ...asked]);
      context.addIssue({
        code: 'custom',
        message: `must contain only ${names.join(', ')}; unknown: ${unknown
          .slice(0, 5)
          .map((name) => JSON.stringify(name.slice(0, 40)))
          .join(', ')}`,
      });
      return z.NEVER;
    })
    // On the wire a comma-separated list.
    .meta({
      type: 'array',
      items: { type: 'string', enum: names },
      explode: false,
      description: 'The wanted members; id is always returned. All by default.',
    })
    .optional();

/** The requested members of a presented object; all of them if `names` is undefined. */
export function project<T extends object>(presented: T, names: ReadonlySet<string> | undefined): Partial<T> {
  if (names === undefined) return presented;
  const chosen: Partial<T> = {};
  for (const name in presented) if (names.has(name)) chosen[name] = presented[name];
  return chosen;
}
