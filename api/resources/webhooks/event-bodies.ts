import { z } from 'zod';
import type { EventName } from '../../../domain/events/names.ts';
import { ArticleShape } from '../articles/schema.ts';
import { articleExample, articleId } from '../articles/examples.ts';
import { commentEventExample } from '../comments/examples.ts';
import { finishedRunExample } from '../pipeline/examples.ts';
import { RunShape } from '../pipeline/schema.ts';
import { id, isoTime } from '../../../packages/base/fields.ts';
import { finishedScanExample } from '../seo/scans/examples.ts';
import { ScanShape } from '../seo/scans/schema.ts';
import { eventId } from './examples.ts';

/** The delivered parts of one event. */
interface DeliveredEvent {
  readonly summary: string;
  readonly body: z.ZodType;
}

const delivered = (
  event: string,
  name: string,
  summary: string,
  data: z.ZodType,
  example: object,
): DeliveredEvent => ({
  summary,
  body: z.strictObject({ id, event: z.literal(event), created_at: isoTime, data }).meta({
    id: name,
    examples: [{ id: eventId, event, created_at: '2026-03-01T09:30:00.000Z', data: example }],
  }),
});

const CommentEventData = z
  .strictObject({
    id,
    article_id: id,
    slug: z.string(),
    parent_id: id.nullable(),
    status: z.enum(['approved', 'pending']),
    author_name: z.string().nullable().meta({ description: 'null after the reader was erased.' }),
    body: z.string().nullable().meta({ description: 'Plain text; null after the reader was erased.' }),
    created_at: isoTime,
  })
  .meta({ id: 'CommentEventData' });

const published = {
  ...articleExample,
  status: 'published',
  published_at: '2026-03-01T09:30:00.000Z',
  content_updated_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

/** The body of each event, as it is delivered (docs/spec/rulings.md, 7 and 8). */
export const deliveredEvents: Readonly<Record<EventName | 'ping', DeliveredEvent>> = {
  'article.published': delivered(
    'article.published',
    'ArticlePublishedEvent',
    'An article was published',
    ArticleShape,
    published,
  ),
  'article.updated': delivered(
    'article.updated',
    'ArticleUpdatedEvent',
    'A published article was edited',
    ArticleShape,
    published,
  ),
  'article.unpublished': delivered(
    'article.unpublished',
    'ArticleUnpublishedEvent',
    'An article was unpublished',
    ArticleShape,
    { ...published, status: 'draft' },
  ),
  'article.deleted': delivered(
    'article.deleted',
    'ArticleDeletedEvent',
    'An article was deleted',
    z.strictObject({ id }).meta({ id: 'ArticleDeletedData' }),
    { id: articleId },
  ),
  'comment.created': delivered(
    'comment.created',
    'CommentCreatedEvent',
    'A reader submitted a comment',
    CommentEventData,
    commentEventExample,
  ),
  'pipeline_run.finished': delivered(
    'pipeline_run.finished',
    'PipelineRunFinishedEvent',
    'A run of the pipeline ended, in whatever way',
    RunShape,
    finishedRunExample,
  ),
  'seo_scan.finished': delivered(
    'seo_scan.finished',
    'SeoScanFinishedEvent',
    'A scan ended, in whatever way',
    ScanShape,
    finishedScanExample,
  ),
  ping: delivered(
    'ping',
    'PingEvent',
    'A test of the endpoint was asked for; it cannot be subscribed to',
    z.strictObject({}).meta({ id: 'PingData' }),
    {},
  ),
};
