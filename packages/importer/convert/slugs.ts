import { SLUG_LENGTH, deriveSlug, firstFreeSlug, slugPattern } from '../../base/slugs.ts';

const isValid = (slug: string): boolean => slug.length <= SLUG_LENGTH && slugPattern.test(slug);

export interface GivenSlug {
  /** As in the export; may be empty. */
  readonly slug: string;
  /** The text to derive a slug from if the given one yields none. */
  readonly text: string;
  /** A slug for texts that yield none either. */
  readonly last: string | null;
}

/**
 * Assigns unique slugs, in order. A valid slug stays, others are derived by the rules for titles, and a taken one gets
 * a number. Valid slugs are assigned first, so that none of them changes because of an invalid one.
 *
 * @returns null if no slug can be derived
 */
export function assignSlugs(given: readonly GivenSlug[]): (string | null)[] {
  const taken = new Set<string>();
  const result = given.map(({ slug }) => {
    if (!isValid(slug) || taken.has(slug)) return null;
    taken.add(slug);
    return slug;
  });
  given.forEach(({ slug, text, last }, index) => {
    if (result[index] !== null) return;
    const base = named(decoded(slug)) ?? named(text) ?? last;
    if (base === null) return;
    const free = firstFreeSlug(base, taken);
    taken.add(free);
    result[index] = free;
  });
  return result;
}

/** Of `新年2026` only the number could be used, which names nothing, and other texts share it. */
function named(text: string): string | null {
  const slug = deriveSlug(text);
  return slug !== null && !/[a-z]/.test(slug) && /\p{L}/u.test(text) ? null : slug;
}

/** Decodes a slug. WordPress stores non-Latin slugs percent-encoded, and may truncate them within a character. */
export function decoded(slug: string): string {
  const whole = slug.replace(/%[0-9a-f]?$/i, '');
  if (!whole.includes('%')) return whole;
  const bytes = Buffer.from(
    whole.replaceAll(/%([0-9a-f]{2})|[^%]+|%/gi, (part, code: string | undefined) =>
      code === undefined
        ? Buffer.from(part).toString('latin1')
        : String.fromCharCode(Number.parseInt(code, 16)),
    ),
    'latin1',
  );
  return new TextDecoder().decode(bytes).replaceAll('\uFFFD', '');
}
