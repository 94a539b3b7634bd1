import { z } from 'zod';
import { delivered } from '../../../domain/events/catalogue.ts';
import type { EventData } from '../../../domain/events/catalogue.ts';
import { ApprovalShape } from '../../framework/approval-schema.ts';
import { exampleIn } from '../../framework/openapi/examples.ts';
import { ArticleShape } from '../articles/schema.ts';
import { articleExample, articleId } from '../articles/examples.ts';
import { BulkJobShape } from '../bulk/schema.ts';
import { PushShape } from '../cms/schema.ts';
import { commentEventExample } from '../comments/examples.ts';
import { KeyShape } from '../keys/schema.ts';
import { MediaAsset } from '../media/schema.ts';
import { pendingEditExample } from '../pending-edits/examples.ts';
import { PendingEditShape } from '../pending-edits/schema.ts';
import { finishedRunExample } from '../pipeline/examples.ts';
import { RunShape } from '../pipeline/schema.ts';
import { id, isoTime } from '../../../packages/base/fields.ts';
import { approvedReviewExample } from '../reviews/examples.ts';
import { ReviewShape } from '../reviews/schema.ts';
import { finishedScanExample } from '../seo/scans/examples.ts';
import { ScanShape } from '../seo/scans/schema.ts';
import { SiteShape } from '../site/schema.ts';
import { AuthorShape, CategoryShape, TagShape } from '../taxonomy/schema.ts';
import { eventId } from './examples.ts';

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
  .meta({ id: 'CommentEventData', examples: [commentEventExample] });

const ModeratedCommentData = CommentEventData.extend({
  slug: z.string().nullable().describe('null where an article that was unpublished has lost it.'),
  status: z
    .enum(['approved', 'pending', 'spam'])
    .describe('What the comment is now, or was when it was deleted.'),
}).meta({ id: 'ModeratedCommentData', examples: [{ ...commentEventExample, status: 'approved' }] });

const PendingEditData = PendingEditShape.extend({ article_id: id }).meta({
  id: 'PendingEditData',
  examples: [{ ...pendingEditExample, article_id: articleId }],
});

const published = {
  ...articleExample,
  status: 'published',
  published_at: '2026-03-01T09:30:00.000Z',
  content_updated_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

/** The shape of each `data`. Shapes without a name of their own get that of the event. */
const shapes: Readonly<Record<EventData, z.ZodType>> = {
  ApiKey: KeyShape,
  Approval: ApprovalShape,
  Article: ArticleShape,
  Author: AuthorShape,
  BulkJob: BulkJobShape,
  Category: CategoryShape,
  Comment: CommentEventData,
  Id: z.strictObject({ id }).meta({ examples: [{ id: articleId }] }),
  MediaAsset,
  ModeratedComment: ModeratedCommentData,
  Nothing: z.strictObject({}),
  PendingEdit: PendingEditData,
  PipelineRun: RunShape,
  Push: PushShape,
  Review: ReviewShape,
  SeoScan: ScanShape,
  Site: SiteShape,
  Tag: TagShape,
};

/** Where the example of the shape is of another moment. */
const examples: Readonly<Record<string, object>> = {
  'article.published': published,
  'article.updated': published,
  'article.unpublished': { ...published, status: 'draft' },
  'article.scheduled': {
    ...articleExample,
    status: 'scheduled',
    scheduled_publish_at: '2026-03-02T09:00:00.000Z',
  },
  'pending_edit.published': published,
  'comment.removed': { ...commentEventExample, status: 'spam' },
  'pipeline_run.finished': finishedRunExample,
  'review.decided': approvedReviewExample,
  'seo_scan.finished': finishedScanExample,
};

/** `pipeline_run.finished` is `PipelineRunFinished`. */
export const capitalised = (event: string): string =>
  event
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

function bodyOf(event: string, data: EventData): z.ZodType {
  const name = capitalised(event);
  const shape = shapes[data];
  const named = shape.meta()?.id === undefined ? shape.meta({ ...shape.meta(), id: `${name}Data` }) : shape;
  const example = examples[event] ?? exampleIn(shape) ?? {};
  return z.strictObject({ id, event: z.literal(event), created_at: isoTime, data: named }).meta({
    id: `${name}Event`,
    examples: [{ id: eventId, event, created_at: '2026-03-01T09:30:00.000Z', data: example }],
  });
}

/** The body of each event, as it is delivered (docs/spec/rulings.md, 7 and 8). */
export const eventBodies: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(delivered).map(([event, { data }]) => [event, bodyOf(event, data)]),
);
