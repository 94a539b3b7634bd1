import { z } from 'zod';
import { isSchedulingTime } from '../../../domain/articles/scheduling-time.ts';
import { bulkActions, bulkStatuses, itemStatuses } from '../../../domain/bulk/job.ts';
import type { BulkAction } from '../../../domain/bulk/job.ts';
import { id, isoTime, nullableTime, uuid } from '../../../packages/base/fields.ts';
import { rule } from '../../../packages/base/rule.ts';
import { bulkExample, completedJobExample } from './examples.ts';

const parameters = ['category_id', 'author_id', 'tag_ids', 'scheduled_publish_at'] as const;

type Parameter = (typeof parameters)[number];

/** The member that an action needs, besides the articles. */
const needed: Readonly<Record<BulkAction, Parameter | null>> = {
  publish: null,
  unpublish: null,
  delete: null,
  set_category: 'category_id',
  set_author: 'author_id',
  add_tags: 'tag_ids',
  remove_tags: 'tag_ids',
  schedule: 'scheduled_publish_at',
};

const sent = z.looseObject({ action: z.enum(bulkActions) });

/** Each action has its member, and no other. */
const ownParameter = rule(sent, (body) => {
  const own = needed[body.action];
  return parameters.flatMap((name) => {
    if (name === own && body[name] === undefined)
      return [{ path: [name], message: `is required for the action ${body.action}` }];
    if (name !== own && body[name] !== undefined)
      return [{ path: [name], message: `is not used by the action ${body.action}: leave it out` }];
    return [];
  });
});

const distinct = rule(z.looseObject({ article_ids: z.array(z.string()) }), ({ article_ids: ids }) => {
  const seen = new Set<string>();
  return ids.flatMap((value, index) => {
    const articleId = value.toLowerCase();
    if (seen.has(articleId))
      return [{ path: ['article_ids', index], message: 'is named twice: name each article once' }];
    seen.add(articleId);
    return [];
  });
});

export const BulkBody = z
  .strictObject({
    action: z.enum(bulkActions).describe('What to do with each article: what the call for one article does.'),
    article_ids: z
      .array(uuid)
      .min(1, 'must name an article at least')
      .max(500, 'must have at most 500 members')
      .describe('The articles, each once. An id that does not exist fails alone.'),
    category_id: uuid.nullable().optional().describe('For set_category; null clears it.'),
    author_id: uuid.nullable().optional().describe('For set_author; null clears it.'),
    tag_ids: z
      .array(uuid)
      .min(1, 'must name a tag at least')
      .max(100, 'must have at most 100 members')
      .optional()
      .describe('For add_tags and remove_tags.'),
    scheduled_publish_at: z
      .string()
      .refine(isSchedulingTime, {
        error:
          'must be a date-time, such as 2026-03-01T09:00:00Z, or 2026-03-01T09:00:00 in the Site’s timezone',
      })
      .optional()
      .describe('For schedule. Without an offset it is local time in the timezone of the Site.'),
  })
  .check(ownParameter, distinct)
  .meta({ id: 'BulkRequest', examples: [bulkExample] });

const ItemError = z.strictObject({ code: z.string(), message: z.string() }).meta({ id: 'BulkItemError' });

const Item = z
  .strictObject({
    article_id: id,
    status: z.enum(itemStatuses),
    error: ItemError.nullable().describe(
      'Of a failed item: what the call for this article would have answered.',
    ),
  })
  .meta({ id: 'BulkItem' });

const Totals = z
  .strictObject({ waiting: z.int(), done: z.int(), failed: z.int() })
  .meta({ id: 'BulkTotals' });

export const BulkJobShape = z
  .strictObject({
    id,
    status: z.enum(bulkStatuses),
    action: z.enum(bulkActions),
    items: z.array(Item).describe('In the order in which they were sent.'),
    totals: Totals,
    created_at: isoTime,
    finished_at: nullableTime,
  })
  .meta({ id: 'BulkJob', examples: [completedJobExample] });
