import { z } from 'zod';
import { authorDetails, termName } from '../../../packages/base/content.ts';
import { id, isoTime, pageOf, slug } from '../../../packages/base/fields.ts';
import { cursor, fields, limit, search } from '../../framework/schema/query.ts';
import {
  authorExample,
  authorUpdateExample,
  authorWriteExample,
  termExample,
  termUpdateExample,
  termWriteExample,
} from './examples.ts';

export const TaxonomyTermWrite = z
  .strictObject({ name: termName, slug: slug.optional() })
  .meta({ id: 'TaxonomyTermWrite', examples: [termWriteExample] });
export const TaxonomyTermUpdate = z
  .strictObject({ name: termName, slug })
  .partial()
  .meta({ id: 'TaxonomyTermUpdate', examples: [termUpdateExample] });

export const AuthorWrite = TaxonomyTermWrite.extend(authorDetails).meta({
  id: 'AuthorWrite',
  examples: [authorWriteExample],
});
export const AuthorUpdate = TaxonomyTermUpdate.extend(authorDetails).meta({
  id: 'AuthorUpdate',
  examples: [authorUpdateExample],
});

const term = {
  id,
  name: z.string(),
  slug: z.string(),
  article_count: z.int(),
  created_at: isoTime,
  updated_at: isoTime,
};

export const CategoryShape = z.strictObject(term).meta({ id: 'Category', examples: [termExample] });
export const TagShape = z.strictObject(term).meta({ id: 'Tag', examples: [termExample] });
export const AuthorShape = z
  .strictObject({
    ...term,
    bio: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai_generated: z.boolean(),
  })
  .meta({ id: 'Author', examples: [authorExample] });

/** A page whose items have the requested members only. */
export const termPage = <Shape extends z.ZodObject<{ id: typeof id }>>(shape: Shape, idOf: string) =>
  pageOf(
    z
      .strictObject({ ...shape.partial().shape, id })
      .meta({ id: `Partial${idOf}`, examples: shape.meta()?.examples }),
  ).meta({
    id: `${idOf}Page`,
  });

export const listQuery = (shape: z.ZodObject) =>
  z.strictObject({
    cursor,
    limit: limit(),
    fields: fields(Object.keys(shape.shape)),
    q: search('The beginning of the name, without regard to case and accents.'),
  });
