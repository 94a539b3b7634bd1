import { z } from 'zod';

/** A violation of a rule. Its path is relative to the object or array that has the rule. */
interface Mistake {
  readonly path?: (string | number)[];
  readonly message: string;
}

/**
 * A rule about several members: `schema.check(rule(…))`. It is checked even if members have other mistakes, because all
 * mistakes are reported at once (docs/spec/rulings.md, 1). zod skips its own refinements in that case.
 *
 * @param reads the schema of the members that the rule reads; the rule is skipped if they do not match it
 */
export const rule = <T>(reads: z.ZodType<T>, examine: (value: T) => readonly Mistake[]) =>
  z.superRefine<unknown>(
    (value, context) => {
      const parsed = reads.safeParse(value);
      if (!parsed.success) return;
      for (const mistake of examine(parsed.data)) context.addIssue({ code: 'custom', ...mistake });
    },
    { when: () => true },
  );
