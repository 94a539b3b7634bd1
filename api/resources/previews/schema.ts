import { z } from 'zod';
import { DEFAULT_S, LONGEST_S, SHORTEST_S } from '../../../domain/previews/link.ts';
import { id, isoTime, pageOf } from '../../../packages/base/fields.ts';
import { newPreviewLinkExample, previewLinkExample } from './examples.ts';

export const PreviewLinkWrite = z
  .strictObject({
    expires_in: z
      .int()
      .min(SHORTEST_S, { error: `must be at least ${SHORTEST_S} seconds` })
      .max(LONGEST_S, { error: `must be at most ${LONGEST_S} seconds` })
      .default(DEFAULT_S)
      .meta({ description: 'Seconds until the link stops working.' }),
  })
  .meta({ id: 'PreviewLinkWrite', examples: [{ expires_in: DEFAULT_S }] });

const shape = { id, expires_at: isoTime, created_at: isoTime };

const PreviewLink = z.strictObject(shape).meta({ id: 'PreviewLink', examples: [previewLinkExample] });

export const PreviewLinkWithUrl = z
  .strictObject({
    ...shape,
    url: z
      .string()
      .nullable()
      .meta({ description: 'Contains the token. Only the first answer has it; a replay has null.' }),
  })
  .meta({ id: 'PreviewLinkWithUrl', examples: [newPreviewLinkExample] });

export const PreviewLinkPage = pageOf(PreviewLink).meta({ id: 'PreviewLinkPage' });
