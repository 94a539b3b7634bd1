import { z } from 'zod';
import { id, pageOf } from '../../../packages/base/fields.ts';
import { verdicts } from '../../../domain/pipeline/claims/claim.ts';
import { claimExample } from './examples.ts';

export const ClaimShape = z
  .strictObject({
    id,
    text: z.string().describe('A sentence or a clause, as the content has it.'),
    position: z
      .strictObject({ start: z.int(), end: z.int() })
      .meta({ id: 'ClaimPosition' })
      .nullable()
      .describe('Where it is in the content, in code points; null while the content does not have it.'),
    verdict: z
      .enum(verdicts)
      .describe('`weak`: the source says something like it, or the sentence cites another source.'),
    source_n: z
      .int()
      .nullable()
      .describe('The source that has the evidence, by its number in `sources` of the article.'),
    evidence: z
      .string()
      .nullable()
      .describe('What the source says, or the notes of the topic, word by word. At most 500 characters.'),
  })
  .meta({ id: 'Claim', examples: [claimExample] });

export const ClaimPage = pageOf(ClaimShape).meta({ id: 'ClaimPage' });
