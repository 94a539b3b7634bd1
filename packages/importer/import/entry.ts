import { z } from 'zod';
import {
  altText,
  articleCreate,
  authorDetails,
  missingForPublication,
  termName,
} from '../../base/content.ts';
import { addIssues } from '../../base/field-messages.ts';
import { dateTime, slug, text, webUrl } from '../../base/fields.ts';
import { Mistakes } from '../../base/mistakes.ts';
import { findUnusableText } from '../../base/unusable-text.ts';

/** A mistake: a dotted path and a message. */
export interface Reason {
  readonly field: string;
  readonly message: string;
}

/** A valid part of the file, or all of its mistakes. */
export type Checked<T> =
  | { readonly value: T; readonly reasons?: undefined }
  | { readonly value?: undefined; readonly reasons: readonly Reason[] };

/** An entry, and its valid members, which can be checked against the rest of the file and the Site. */
export type CheckedArticle = Checked<ArticleEntry> & { readonly usable: Partial<ArticleEntry> };

/** Members with the API's own schemas, so that the same values are rejected. */
const carriedOver = articleCreate.pick({
  title: true,
  slug: true,
  content: true,
  excerpt: true,
  seo_title: true,
  seo_description: true,
  faqs: true,
  key_takeaways: true,
  howto_steps: true,
  comparison: true,
  sources: true,
  origin: true,
});

const featuredImage = z.object({ url: webUrl.nullish(), alt: altText.optional() });

const articleEntry = z.object({
  ...carriedOver.shape,
  external_id: text(255, 1),
  status: z.enum(['published', 'draft']),
  featured_image: featuredImage.optional(),
  author: z.string().optional(),
  category: z.string().optional(),
  tags: z.array(z.string()).max(100).optional(),
  format: z.string().optional(),
  published_at: dateTime.optional(),
  content_updated_at: dateTime.optional(),
});

const termEntry = z.object({ name: termName, slug });
const authorEntry = z.object({ name: termName, ...authorDetails });

export type CarriedOver = z.infer<typeof carriedOver>;
export type ArticleEntry = z.infer<typeof articleEntry>;
export type TermEntry = z.infer<typeof termEntry>;
export type AuthorEntry = z.infer<typeof authorEntry>;

export const checkTerm = (value: unknown): Checked<TermEntry> => check(termEntry, withoutNulls(value));
export const checkAuthor = (value: unknown): Checked<AuthorEntry> => check(authorEntry, withoutNulls(value));

/** Checks an entry by itself, and reports all mistakes. The dates of a draft are ignored (docs/spec/rulings.md, 13). */
export function checkArticle(value: unknown): CheckedArticle {
  const present = withoutNulls(value);
  if (present['status'] === 'draft') {
    delete present['published_at'];
    delete present['content_updated_at'];
  }
  const { value: entry, reasons: wrong = [] } = check(articleEntry, present);
  const reasons = new Map(wrong.map((reason) => [reason.field, reason]));
  const usable = entry ?? usableMembers(present);
  const { published_at: first, content_updated_at: updated } = usable;
  const together = {
    ...unpublishable(present),
    ...(first && updated && updated < first
      ? { content_updated_at: 'must not be earlier than published_at' }
      : {}),
  };
  for (const [field, message] of Object.entries(together)) {
    if (!reasons.has(field)) reasons.set(field, { field, message });
  }
  return entry !== undefined && reasons.size === 0
    ? { value: entry, usable }
    : { reasons: [...reasons.values()], usable };
}

/** The valid members of an invalid entry, for further checks. */
function usableMembers(present: Readonly<Record<string, unknown>>): Partial<ArticleEntry> {
  return Object.fromEntries(
    Object.entries(articleEntry.shape).flatMap(([name, shape]) => {
      const parsed = Object.hasOwn(present, name) ? shape.safeParse(present[name]) : null;
      return parsed?.success ? [[name, parsed.data]] : [];
    }),
  );
}

/** The missing parts of a published entry, even if the entry is invalid. */
function unpublishable(present: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  if (present['status'] !== 'published') return {};
  const textOf = (name: string): string | null => {
    const value = present[name];
    return typeof value === 'string' ? value : value === undefined ? null : 'of another type';
  };
  const missing = missingForPublication({
    title: textOf('title'),
    slug: textOf('slug'),
    content: textOf('content'),
  });
  if (textOf('published_at') !== null) return missing;
  return { ...missing, published_at: 'is required for a published article' };
}

function check<T>(shape: z.ZodType<T>, value: unknown): Checked<T> {
  const parsed = shape.safeParse(value, { reportInput: true });
  // The search for text that cannot be stored is recursive; a valid value is not nested deeply.
  const mistakes = new Mistakes();
  if (parsed.success) findUnusableText(parsed.data, mistakes);
  else addIssues(parsed.error.issues, mistakes);
  const reasons = Object.entries(mistakes.fields).map(([field, message]) => ({ field, message }));
  return parsed.success && reasons.length === 0 ? { value: parsed.data } : { reasons };
}

/** The members that are not null, which means absent (docs/spec/rulings.md, 13); none if the value is not an object. */
function withoutNulls(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}
