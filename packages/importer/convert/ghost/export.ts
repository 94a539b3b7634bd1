import { z } from 'zod';
import { UsageError } from '../../../command/usage.ts';

// The used parts of Ghost's export (Settings, Migration tools). Versions differ in their members; ids used to be
// numbers.

const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''));
const number = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'number' ? value : 0));
const flag = z
  .unknown()
  .optional()
  .transform((value) => value === true || value === 1);

const post = z.object({
  id: text,
  uuid: text,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  /** Before version 1. */
  markdown: text,
  feature_image: text,
  /** Until version 1. */
  image: text,
  status: text,
  visibility: text,
  type: text,
  page: flag,
  author_id: text,
  custom_excerpt: text,
  meta_title: text,
  meta_description: text,
  canonical_url: text,
  codeinjection_head: text,
  codeinjection_foot: text,
  published_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
});
const user = z.object({ id: text, slug: text, name: text, bio: text, profile_image: text, image: text });
const tag = z.object({ id: text, name: text, slug: text, visibility: text });
const postTag = z.object({ post_id: text, tag_id: text, sort_order: number });
const postAuthor = z.object({ post_id: text, author_id: text, sort_order: number });
const postMeta = z.object({
  post_id: text,
  meta_title: text,
  meta_description: text,
  feature_image_alt: text,
});
const setting = z.object({ key: text, value: text });

export type GhostPost = z.infer<typeof post>;
export type GhostUser = z.infer<typeof user>;
export type GhostTag = z.infer<typeof tag>;

/** Skips invalid rows. */
const readRows =
  <S extends z.ZodObject>(shape: S) =>
  (all: readonly unknown[] | null | undefined): z.output<S>[] =>
    (all ?? []).flatMap((row): z.output<S>[] => {
      const parsed = shape.safeParse(row);
      return parsed.success ? [parsed.data] : [];
    });

const rows = <S extends z.ZodObject>(shape: S) => z.array(z.unknown()).nullish().transform(readRows(shape));

const data = z.object({
  posts: z.array(z.unknown()).transform(readRows(post)),
  users: rows(user),
  tags: rows(tag),
  posts_tags: rows(postTag),
  posts_authors: rows(postAuthor),
  posts_meta: rows(postMeta),
  settings: rows(setting),
});

export type GhostData = z.infer<typeof data>;

/** @throws UsageError if it is not an export of Ghost */
export function readGhostExport(json: string): GhostData {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`it is not JSON (${(error as Error).message.slice(0, 300)}).`);
  }
  const found = z.object({ db: z.array(z.object({ data: z.unknown() })).min(1) }).safeParse(document);
  const inner = found.success ? found.data.db[0]?.data : (document as { data?: unknown } | null)?.data;
  const parsed = data.safeParse(inner);
  if (!parsed.success) {
    throw new UsageError(
      'it is not a Ghost export: db[0].data.posts is missing. Export again under Settings, Import/Export.',
    );
  }
  return parsed.data;
}
