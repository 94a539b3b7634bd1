import { z } from 'zod';
import { id, nullableTime, text, uuid } from '../../../packages/base/fields.ts';
import { voiceExample, voiceUpdateExample } from './examples.ts';

const rules = z.array(text(300, 1)).max(50);

export const VoiceUpdate = z
  .strictObject({
    audience: text(2_000).nullable().describe('Who reads the blog, and what they know.'),
    tone: text(2_000).nullable().describe('How the blog talks to them.'),
    do: rules.describe('What every text does.'),
    avoid: rules.describe('What no text does.'),
    vocabulary: z
      .array(
        z
          .strictObject({ use: text(300, 1), instead_of: z.array(text(300, 1)).max(50) })
          .meta({ id: 'VoiceWord' }),
      )
      .max(200)
      .describe('The words of the blog, and those that they replace.'),
    sample_article_ids: z
      .array(uuid)
      .max(5)
      .transform((ids) => [...new Set(ids)])
      .describe('Articles of the Site that sound as the others should.'),
  })
  .partial()
  .meta({ id: 'VoiceUpdate', examples: [voiceUpdateExample] });

const names = z.array(z.string());

export const VoiceShape = z
  .strictObject({
    audience: z.string().nullable(),
    tone: z.string().nullable(),
    do: names,
    avoid: names,
    vocabulary: z.array(
      z.strictObject({ use: z.string(), instead_of: names }).meta({ id: 'VoiceVocabulary' }),
    ),
    sample_article_ids: z.array(id).describe('Without those that have been deleted.'),
    updated_at: nullableTime.describe('Null until it is set for the first time.'),
  })
  .meta({ id: 'Voice', examples: [voiceExample] });
