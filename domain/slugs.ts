import slugify from '@sindresorhus/slugify';

/** The form of every slug (specification, Article). */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Characters at most, of a slug that is sent. */
export const SLUG_LENGTH = 200;

const DERIVED_LENGTH = 80;

/**
 * A slug made from a title or name: transliterated, cut at a word near 80 characters (decisions 4).
 *
 * @returns null when nothing of the text can stand in a slug
 */
export function deriveSlug(text: string): string | null {
  // A title is long at most by its own limit; what lies far behind the cut need not be transliterated.
  const slug = slugify(text.slice(0, 1_000), { decamelize: false });
  const cut = cutAtWord(slug);
  return slugPattern.test(cut) ? cut : null;
}

function cutAtWord(slug: string): string {
  if (slug.length <= DERIVED_LENGTH) return slug;
  const end = slug.lastIndexOf('-', DERIVED_LENGTH);
  return slug.slice(0, end > 0 ? end : DERIVED_LENGTH);
}

/**
 * The first of `base`, `base-2`, `base-3`, … that is not taken.
 *
 * @param taken slugs in use, at least all of that form
 */
export function firstFreeSlug(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
