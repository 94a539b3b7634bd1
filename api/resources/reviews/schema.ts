import { z } from 'zod';
import { reviewStates, reviewSubjects } from '../../../domain/reviews/review.ts';
import { date, id, isoTime, isUuid, pageOf, text, uuid } from '../../../packages/base/fields.ts';
import { cursor, limit } from '../../framework/schema/query.ts';
import { refusedReviewExample, reviewExample, reviewRequestExample } from './examples.ts';
import { Person } from './person-schema.ts';

const note = text(2_000);

export const ReviewRequest = z
  .strictObject({
    reviewer_ids: z
      .array(uuid)
      .max(10, { error: 'must have at most 10 members' })
      .optional()
      .describe('Members who are to decide; besides them, admins and the owner may. By default anybody may.'),
    note: note.nullable().optional(),
    due_date: date.nullable().optional().describe('By when it should be decided.'),
  })
  .meta({ id: 'ReviewRequest', examples: [reviewRequestExample] });

export const ReviewApproval = z
  .strictObject({
    note: note.nullable().optional(),
    revision: z
      .int()
      .min(1, { error: 'must be at least 1' })
      .optional()
      .describe(
        'The number of the revision that you have read; another one than the newest is 409. Of a pending edit it has none.',
      ),
  })
  .meta({ id: 'ReviewApproval', examples: [{ note: 'They are.', revision: 3 }] });

export const ChangesRequest = z
  .strictObject({ note: text(2_000, 1) })
  .meta({ id: 'ChangesRequest', examples: [{ note: refusedReviewExample.decision_note }] });

export const ReviewShape = z
  .strictObject({
    id,
    article_id: id,
    state: z.enum(reviewStates),
    subject: z.enum(reviewSubjects).describe('An article, or the pending edit that it had.'),
    revision: z
      .int()
      .nullable()
      .describe('The number of the revision that is reviewed; null for a pending edit.'),
    outdated: z.boolean().describe('Whether the text has changed since.'),
    requested_by: Person,
    reviewers: z.array(Person),
    note: z.string().nullable(),
    due_date: z.string().meta({ format: 'date' }).nullable(),
    approvals: z
      .array(
        z
          .strictObject({ by: Person, at: isoTime, note: z.string().nullable() })
          .meta({ id: 'ReviewApprovalGiven' }),
      )
      .describe('Oldest first.'),
    decided_by: Person.nullable().describe(
      'Who approved last, or asked for changes; null until it is decided.',
    ),
    decided_at: isoTime.nullable(),
    decision_note: z.string().nullable(),
    created_at: isoTime,
  })
  .meta({ id: 'Review', examples: [reviewExample] });

export const ReviewPage = pageOf(ReviewShape).meta({ id: 'ReviewPage' });

export const ReviewQuery = z.strictObject({
  cursor,
  limit: limit(),
  state: z.enum(reviewStates).optional().describe('Reviews in this state.'),
  reviewer_id: z
    .string()
    .refine((value) => value === 'me' || isUuid(value), { error: 'must be me, or the id of a member' })
    .transform((value) => value.toLowerCase())
    .optional()
    .describe('Reviews that this member was asked for; `me` is the person of the key.'),
  article_id: uuid.optional().describe('Reviews of this article.'),
  due_before: date.optional().describe('Reviews with a `due_date` before this day.'),
});
