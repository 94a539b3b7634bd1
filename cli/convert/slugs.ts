import { SLUG_LENGTH, deriveSlug, firstFreeSlug, slugPattern } from '../../domain/slugs.ts';

const fits = (slug: string): boolean => slug.length <= SLUG_LENGTH && slugPattern.test(slug);

export interface GivenSlug {
  /** As the export has it; empty where it has none. */
  readonly slug: string;
  /** What a slug is made from where the given one yields none. */
  readonly fallback: string;
}

/**
 * A slug for each, in order: one of Presswork's form stays, others are made to fit by the rules for titles, and a
 * taken one gets a number. Those that fit come first, so that none loses its address to one that changes anyway.
 *
 * @returns null where nothing of it can stand in a slug
 */
export function assignSlugs(given: readonly GivenSlug[]): (string | null)[] {
  const taken = new Set<string>();
  const result = given.map(({ slug }) => {
    if (!fits(slug) || taken.has(slug)) return null;
    taken.add(slug);
    return slug;
  });
  given.forEach(({ slug, fallback }, index) => {
    if (result[index] !== null) return;
    const base = deriveSlug(decoded(slug)) ?? deriveSlug(fallback);
    if (base === null) return;
    const free = firstFreeSlug(base, taken);
    taken.add(free);
    result[index] = free;
  });
  return result;
}

/** WordPress keeps slugs of other scripts percent-encoded, and cuts them anywhere. */
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
