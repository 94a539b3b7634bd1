import { z } from 'zod';
import { isSchedulingTime } from '../../../domain/articles/scheduling-time.ts';
import { ArticleShape } from '../articles/schema.ts';
import { isoTime, nullableTime } from '../../../packages/base/fields.ts';
import { pendingEditExample } from './examples.ts';

export const PendingEditShape = z
  .strictObject({
    base_version: z.int().describe('The version of the article when the edit was begun.'),
    article: ArticleShape.describe('The live article with the edit applied.'),
    updated_at: isoTime.describe('When the edit or its schedule changed last.'),
    scheduled_at: nullableTime.describe('When the edit will be published.'),
    conflict: z
      .array(z.string())
      .optional()
      .describe(
        'Only after a schedule that could not be carried out: the fields that stood against it. The next edit clears it.',
      ),
  })
  .meta({ id: 'PendingEdit', examples: [pendingEditExample] });

export const PublishEditBody = z
  .strictObject({
    force: z.boolean().describe('Whether to overwrite what has changed in the live article meanwhile.'),
  })
  .partial()
  .meta({ id: 'PublishPendingEdit', examples: [{ force: true }] });

export const ScheduleEditBody = z
  .strictObject({
    scheduled_at: z
      .string()
      .refine(isSchedulingTime, {
        error:
          'must be a date-time, such as 2026-03-01T09:00:00Z, or 2026-03-01T09:00:00 in the Site’s timezone',
      })
      .meta({ description: 'Without an offset it is local time in the timezone of the Site.' }),
  })
  .meta({ id: 'SchedulePendingEdit', examples: [{ scheduled_at: '2026-03-03T09:00:00' }] });
