import type { FieldMessages } from '../../../packages/base/mistakes.ts';
import { deriveSlug, underivable } from '../../../packages/base/slugs.ts';

/** The mistake of a body without `field` from whose name it cannot be derived. */
export const examineDerived =
  (field: 'key' | 'slug') =>
  ({ name, [field]: sent }: Readonly<Record<string, unknown>>): FieldMessages =>
    (sent ?? null) === null && typeof name === 'string' && name.trim() !== '' && deriveSlug(name) === null
      ? underivable(field)
      : {};
