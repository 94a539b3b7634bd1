import { z } from 'zod';
import { timestamp } from '../../db/sql.ts';

/** The common part of categories, tags and authors. */
export const termRow = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  article_count: z.number(),
  published_article_count: z.number(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
  /** The name as the alphabetical order compares it. */
  sort_key: z.string(),
});

export const authorRow = termRow.extend({
  bio: z.string().nullable(),
  avatar_url: z.string().nullable(),
  is_ai_generated: z.boolean(),
});

export type Term = z.infer<typeof termRow>;
export type Author = z.infer<typeof authorRow>;
