import { z } from 'zod';
import type { Author, Term } from '../../domain/taxonomy/terms.ts';
import type { Caller } from '../../domain/access/authenticate.ts';
import { id, isoTime, pageOf, slug, text, webUrl } from '../schema/fields.ts';
import { cursor, fields, limit } from '../schema/query.ts';

const name = text(200, 1);

export const TaxonomyTermWrite = z
  .strictObject({ name, slug: slug.optional() })
  .meta({ id: 'TaxonomyTermWrite' });
export const TaxonomyTermUpdate = z.strictObject({ name, slug }).partial().meta({ id: 'TaxonomyTermUpdate' });

const authorDetails = {
  bio: text(5_000).nullable().optional(),
  avatar_url: webUrl.nullable().optional(),
  is_ai_generated: z.boolean().optional(),
};

export const AuthorWrite = TaxonomyTermWrite.extend(authorDetails).meta({ id: 'AuthorWrite' });
export const AuthorUpdate = TaxonomyTermUpdate.extend(authorDetails).meta({ id: 'AuthorUpdate' });

const term = {
  id,
  name: z.string(),
  slug: z.string(),
  article_count: z.int(),
  created_at: isoTime,
  updated_at: isoTime,
};

export const CategoryShape = z.strictObject(term).meta({ id: 'Category' });
export const TagShape = z.strictObject(term).meta({ id: 'Tag' });
export const AuthorShape = z
  .strictObject({
    ...term,
    bio: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai_generated: z.boolean(),
  })
  .meta({ id: 'Author' });

/** A page whose items show the members that were asked for. */
export const termPage = <Shape extends z.ZodObject>(shape: Shape, idOf: string) =>
  pageOf(shape.partial().meta({ id: `Partial${idOf}` })).meta({ id: `${idOf}Page` });

export const listQuery = (shape: z.ZodObject) =>
  z.strictObject({ cursor, limit: limit(), fields: fields(Object.keys(shape.shape)) });

/** `article_count` is of every article for a secret key, of published ones for a publishable key (decisions 5). */
export const presentTerm = (row: Term, caller: Caller) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  article_count: caller.kind === 'publishable' ? row.published_article_count : row.article_count,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const presentAuthor = (row: Author, caller: Caller) => ({
  ...presentTerm(row, caller),
  bio: row.bio,
  avatar_url: row.avatar_url,
  is_ai_generated: row.is_ai_generated,
});
