import { z } from 'zod';
import { canonicalAddress } from '../../../domain/comments/reader.ts';
import { moderations } from '../../../domain/comments/settings.ts';
import { commentStatuses } from '../../../domain/comments/site-comments.ts';
import { email, id, isoTime, nullableTime, uuid } from '../../../packages/base/fields.ts';
import { cursor, limit } from '../../framework/schema/query.ts';
import {
  commentExample,
  commentPageExample,
  commentSettingsExample,
  commentWriteExample,
  postCommentsExample,
  replyWriteExample,
  submittedExample,
} from './examples.ts';

const BODY_LENGTH = 5_000;
const NAME_LENGTH = 100;

/** Text that is stored unchanged, except that CRLF becomes LF (docs/spec/rulings.md, 8). */
const plainText = (maximum: number) =>
  z
    .string()
    .transform((sent, context) => {
      const text = sent.replaceAll('\r\n', '\n');
      const problem = problemOf(text, maximum);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
      return text;
    })
    .meta({ minLength: 1, maxLength: maximum });

function problemOf(text: string, maximum: number): string | null {
  if (text.length > maximum && [...text].length > maximum) return `must have at most ${maximum} characters`;
  if (text.trim() === '') return 'must not be empty';
  const foreign = /[^\P{Cc}\n\t]/u.test(text);
  return foreign ? 'must not contain control characters other than line breaks and tabs' : null;
}

const readerIp = z
  .string()
  .transform((value, context) => {
    const address = canonicalAddress(value);
    if (address !== null) return address;
    context.addIssue({ code: 'custom', message: 'must be an IPv4 or IPv6 address such as 203.0.113.7' });
    return z.NEVER;
  })
  .meta({ description: "The reader's IP address. A hash of it is stored for a day." });

export const CommentWrite = z
  .strictObject({
    slug: z.string().meta({ description: 'The slug of a published article.' }),
    body: plainText(BODY_LENGTH),
    author_name: plainText(NAME_LENGTH),
    author_email: email.nullable().optional(),
    parent_id: uuid.nullable().optional().meta({
      description: 'The id of an approved comment on the article. A reply to a reply joins its thread.',
    }),
    reader_ip: readerIp.nullable().optional(),
  })
  .meta({ id: 'CommentWrite', examples: [commentWriteExample] });

export const SubmittedComment = z
  .strictObject({ status: z.enum(['approved', 'pending']), duplicate: z.boolean() })
  .meta({ id: 'SubmittedComment', examples: [submittedExample] });

export const PostCommentsQuery = z.strictObject({ cursor });

const PublicComment = z
  .strictObject({
    id,
    parent_id: id.nullable(),
    author_name: z.string(),
    body: z.string(),
    created_at: isoTime,
  })
  .meta({ id: 'PublicComment' });

export const PostCommentsShape = z
  .strictObject({
    enabled: z.boolean(),
    open: z.boolean().meta({ description: 'Whether the article accepts new comments.' }),
    require_email: z.boolean(),
    items: z.array(PublicComment),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'PostComments', examples: [postCommentsExample] });

export const CommentShape = z
  .strictObject({
    id,
    article_id: id,
    slug: z.string().nullable(),
    parent_id: id.nullable(),
    status: z.enum(commentStatuses),
    author_name: z.string(),
    author_email: z.string().nullable(),
    body: z.string(),
    is_reply_by_site: z.boolean(),
    created_at: isoTime,
    updated_at: isoTime,
    spam_marked_at: nullableTime,
  })
  .meta({ id: 'Comment', examples: [commentExample] });

const count = z.int();

export const CommentPage = z
  .strictObject({
    items: z.array(CommentShape),
    next_cursor: z.string().nullable(),
    counts: z
      .strictObject({ approved: count, pending: count, spam: count })
      .meta({ id: 'CommentCounts', description: 'Counts of the whole Site, regardless of the filters.' }),
  })
  .meta({ id: 'CommentPage', examples: [commentPageExample] });

export const CommentQuery = z.strictObject({
  cursor,
  limit: limit(50),
  status: z.enum(commentStatuses).optional().describe('Comments with this status.'),
  slug: z.string().optional().describe('Comments on the article with this slug.'),
});

export const ReplyWrite = z
  .strictObject({
    body: plainText(BODY_LENGTH),
    author_name: plainText(NAME_LENGTH)
      .optional()
      .meta({ description: 'The default is the name of the Site.' }),
  })
  .meta({ id: 'CommentReplyWrite', examples: [replyWriteExample] });

const settings = {
  enabled: z.boolean(),
  moderation: z.enum(moderations),
  require_email: z.boolean(),
  close_after_days: z.int().min(1).max(3_650).nullable(),
};

export const CommentSettings = z
  .strictObject(settings)
  .meta({ id: 'CommentSettings', examples: [commentSettingsExample] });
export const CommentSettingsUpdate = z
  .strictObject(settings)
  .partial()
  .meta({ id: 'CommentSettingsUpdate', examples: [{ moderation: 'hold_all', close_after_days: null }] });

export const EraseRequest = z
  .strictObject({ author_email: email })
  .meta({ id: 'CommentErase', examples: [{ author_email: 'grace@example.com' }] });
export const EraseResult = z
  .strictObject({ deleted: count })
  .meta({ id: 'CommentEraseResult', examples: [{ deleted: 3 }] });
