import { z } from 'zod';

/** What breaks a rule: where, from the object or array that the rule is of. */
interface Mistake {
  readonly path?: (string | number)[];
  readonly message: string;
}

/**
 * A rule that several members have to keep together: `schema.check(rule(…))`. It is held against them whatever else is
 * wrong, as all mistakes are told at once (decisions 1); zod's own refinements are left out where any member has a mistake.
 *
 * @param reads the shape of what the rule reads, and of nothing else; what has another shape breaks no rule
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
