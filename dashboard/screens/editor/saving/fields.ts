import type { Article } from '../../../../sdk/src/index.ts';

/** The members of an article that a person may change (docs/spec/rulings.md, 4), as they are in an empty one. */
export const EMPTY_FIELDS = {
  title: null,
  slug: null,
  content: null,
  excerpt: null,
  featured_image_url: null,
  seo_title: null,
  seo_description: null,
  seo_keywords: null,
  faqs: null,
  key_takeaways: null,
  howto_steps: null,
  comparison: null,
  sources: null,
  category_id: null,
  author_id: null,
  format_id: null,
  tag_ids: [],
  external_id: null,
} satisfies Partial<Article>;

export type FieldName = keyof typeof EMPTY_FIELDS;
export const FIELDS = Object.keys(EMPTY_FIELDS) as readonly FieldName[];
export type Fields = Readonly<Pick<Article, FieldName>>;
export type Patch = Partial<Fields>;

/** Its value for each field; the other members of the object are left out. */
export const fieldsOf = (article: Fields): Fields => fieldsBy((name) => article[name]);

/** @param value of the type of that field */
export const fieldsBy = (value: (name: FieldName) => unknown): Fields =>
  Object.fromEntries(FIELDS.map((name) => [name, value(name)])) as unknown as Fields;

/** The fields of `mine` whose values are others than in `base`. */
export const changedFields = (base: Fields, mine: Fields): Patch =>
  Object.fromEntries(
    FIELDS.filter((name) => !sameValue(name, base[name], mine[name])).map((name) => [name, mine[name]]),
  );

export const isEmpty = (byField: object): boolean => Object.keys(byField).length === 0;

/** Whether saving one instead of the other would change nothing. */
export function sameValue(name: FieldName, one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (name === 'tag_ids') return sameSet(one as readonly string[], other as readonly string[]);
  return same(one, other);
}

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

function same(one: unknown, other: unknown): boolean {
  if (isBlank(one) || isBlank(other)) return isBlank(one) && isBlank(other);
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return false;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    same(left[key], right[key]),
  );
}

/** A field without text is stored as null. */
const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
