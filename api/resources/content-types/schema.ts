import { z } from 'zod';
import { blocks } from '../../../domain/content-types/blueprint.ts';
import { id, isoTime, slug, text } from '../../../packages/base/fields.ts';
import { rule } from '../../../packages/base/rule.ts';
import {
  contentTypeDetailExample,
  contentTypeExample,
  contentTypeUpdateExample,
  contentTypeWriteExample,
} from './examples.ts';

/** The maximum number of sections, as for every array (docs/spec/rulings.md, 4). */
const SECTIONS = 100;
const WORDS = 100_000;

const words = (minimum: number) =>
  z
    .int({ error: 'must be an integer' })
    .min(minimum, { error: `must be at least ${minimum}` })
    .max(WORDS, { error: `must be at most ${WORDS}` })
    .optional();

const Section = z
  .strictObject({
    heading: text(5_000, 1),
    guidance: text(5_000),
    min_words: words(0),
    max_words: words(1),
  })
  .check(
    rule(
      z.object({ min_words: z.number(), max_words: z.number() }),
      ({ min_words: least, max_words: most }) =>
        least <= most ? [] : [{ path: ['max_words'], message: `must be at least min_words: ${least}` }],
    ),
  )
  .meta({ id: 'SectionWrite' });

const Blueprint = z
  .strictObject({
    requires: z
      .array(z.enum(blocks))
      .max(100)
      .transform((names) => [...new Set(names)])
      .meta({ description: 'The structured blocks that the pipeline must fill.' }),
    sections: z.array(Section).max(SECTIONS).meta({ description: 'The outline, in order.' }),
  })
  .meta({ id: 'BlueprintWrite' });

const writable = { name: text(200, 1), blueprint: Blueprint, is_active: z.boolean() };

export const ContentTypeWrite = z
  .strictObject({ ...writable, key: slug.optional(), is_active: writable.is_active.optional() })
  .meta({ id: 'ContentTypeWrite', examples: [contentTypeWriteExample] });

/** The key cannot change (docs/spec/service-api.md, Meta). */
export const ContentTypeUpdate = z
  .strictObject(writable)
  .partial()
  .meta({ id: 'ContentTypeUpdate', examples: [contentTypeUpdateExample] });

const shown = {
  id,
  key: z.string(),
  name: z.string(),
  source: z.enum(['platform', 'site']),
  is_active: z.boolean(),
  created_at: isoTime,
  updated_at: isoTime,
};

export const ContentTypeShape = z
  .strictObject(shown)
  .meta({ id: 'ContentType', examples: [contentTypeExample] });
export const ContentTypeList = z
  .strictObject({ items: z.array(ContentTypeShape) })
  .meta({ id: 'ContentTypeList', examples: [{ items: [contentTypeExample] }] });
const SectionShape = z
  .strictObject({
    heading: z.string(),
    guidance: z.string(),
    min_words: z.int().optional(),
    max_words: z.int().optional(),
  })
  .meta({ id: 'Section' });

export const ContentTypeDetailShape = z
  .strictObject({
    ...shown,
    blueprint: z
      .strictObject({ requires: z.array(z.enum(blocks)), sections: z.array(SectionShape) })
      .meta({ id: 'Blueprint' }),
  })
  .meta({ id: 'ContentTypeDetail', examples: [contentTypeDetailExample] });
