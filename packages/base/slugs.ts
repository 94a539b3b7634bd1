import slugify from '@sindresorhus/slugify';

/** The form of every slug (docs/spec/service-api.md, Article). */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The most characters of a slug that a client sends. */
export const SLUG_LENGTH = 200;

const DERIVED_LENGTH = 80;

/** Characters within words that nobody sees, such as soft hyphens and joiners. */
const unseen = /[\u00AD\u200B-\u200F\u2060\uFEFF]/g;

/**
 * A slug derived from a title or name: transliterated, and cut at a word near 80 characters (docs/spec/rulings.md, 4).
 *
 * @returns null if no part of the text can be used in a slug
 */
export function deriveSlug(text: string): string | null {
  // A title may be much longer than a slug. The part far beyond the cut is not transliterated.
  const letters = text.slice(0, 1_000).normalize('NFKC').replaceAll(unseen, '');
  const slug = slugify(letters, { decamelize: false });
  const cut = cutAtWord(slug);
  return slugPattern.test(cut) ? cut : null;
}

/** What is wrong with a name from which nothing can be derived. */
export const underivable = (field: 'key' | 'slug') => ({
  [field]: `cannot be derived from this name: send a ${field} of your own`,
});

function cutAtWord(slug: string): string {
  if (slug.length <= DERIVED_LENGTH) return slug;
  const end = slug.lastIndexOf('-', DERIVED_LENGTH);
  return slug.slice(0, end > 0 ? end : DERIVED_LENGTH);
}

/**
 * The first of `base`, `base-2`, `base-3`, … that is free.
 *
 * @param taken used slugs, at least all of this form
 */
export function firstFreeSlug(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
