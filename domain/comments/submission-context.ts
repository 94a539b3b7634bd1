import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import { ServiceError, validationFailed } from '../kernel/errors.ts';
import { readerHash, saltDay } from './reader.ts';
import type { Reader } from './reader.ts';
import { isClosed, moderations } from './settings.ts';
import { commentStatuses } from './site-comments.ts';
import type { CommentStatus } from './site-comments.ts';
import { contentHash, LOG_RETENTION_MS } from './submission-log.ts';

/** A submitted comment. Its texts are as they will be stored. */
export interface Submission {
  readonly slug: string;
  readonly body: string;
  readonly authorName: string;
  readonly authorEmail: string | null;
  readonly parentId: string | null;
  /** Represents the reader's address, if the Site sent it. */
  readonly reader: Reader | null;
}

/** Limits of POST /comments (docs/spec/service-api.md, Limits). */
const READER_LIMIT = 5;
const READER_WINDOW_MS = 10 * 60_000;
const SITE_LIMIT = 300;
const SITE_WINDOW_MS = 60 * 60_000;
const QUEUE_LIMIT = 2_000;
/** How long to wait when the queue is full: people have to empty it. */
const QUEUE_RETRY_MS = 60 * 60_000;

const contextRow = z.object({
  enabled: z.boolean(),
  moderation: z.enum(moderations),
  require_email: z.boolean(),
  close_after_days: z.number().nullable(),
  pending: z.number(),
  article_id: z.string().nullable(),
  published_at: timestamp.nullable(),
  thread_id: z.string().nullable(),
  first_status: z.enum(commentStatuses).nullable(),
  reader_since: timestamp.nullable(),
  site_since: timestamp.nullable(),
  salted: z.boolean(),
});

/**
 * The facts that decide about a submission: settings, article, thread, an earlier identical comment, and, for a limit that is
 * reached, the submission whose age will lift it.
 */
export type SubmissionContext = z.infer<typeof contextRow>;

/** Reads everything that decides about a submission, in one statement. */
export function readSubmissionContext(
  db: Queryable,
  siteId: string,
  submission: Submission,
  now: Date,
): Promise<SubmissionContext> {
  const { reader, slug, parentId } = submission;
  const ago = (milliseconds: number): string => at(new Date(now.getTime() - milliseconds));
  // One hash for every day with a salt, including tomorrow's, because another process's clock may be ahead.
  const hashes =
    reader === null
      ? sql.fragment`'{}'::bytea[]`
      : sql.fragment`array(select ${readerHash(sql.fragment`salt`, reader.digest)} from reader_salts)`;
  return db.one(sql.type(contextRow)`
    with reader as materialized (select ${hashes} as hashes)
    select coalesce(s.enabled, false) as enabled, coalesce(s.moderation, 'hold_links') as moderation,
      coalesce(s.require_email, false) as require_email, s.close_after_days, coalesce(s.pending, 0) as pending,
      a.id as article_id, a.published_at, p.thread_id, f.status as first_status,
      r.created_at as reader_since, l.created_at as site_since,
      exists (select from reader_salts where day = ${saltDay(now)}::date) as salted
    from reader
    left join site_comments s on s.site_id = ${siteId}
    left join articles a on a.site_id = ${siteId} and a.slug = ${slug} and a.status = 'published'
    left join lateral (
      select coalesce(c.parent_id, c.id) as thread_id from comments c
      where c.id = ${parentId} and c.article_id = a.id and c.is_public
    ) p on true
    left join lateral (
      select c.status from comment_submissions b join comments c on c.id = b.comment_id
      where b.article_id = a.id and b.content_hash = ${sql.binary(contentHash(submission))}
        and b.created_at > ${ago(LOG_RETENTION_MS)} and c.parent_id is not distinct from p.thread_id
        and (${reader === null}::boolean or b.reader_hash = any(reader.hashes))
      order by b.created_at limit 1
    ) f on true
    left join lateral (
      select b.created_at from comment_submissions b
      where b.site_id = ${siteId} and b.reader_hash = any(reader.hashes) and b.created_at > ${ago(READER_WINDOW_MS)}
      order by b.created_at desc offset ${READER_LIMIT - 1} limit 1
    ) r on true
    left join lateral (
      select b.created_at from comment_submissions b
      where b.site_id = ${siteId} and b.created_at > ${ago(SITE_WINDOW_MS)}
      order by b.created_at desc offset ${SITE_LIMIT - 1} limit 1
    ) l on true`);
}

/** The result for a submission that is not refused. */
export type Verdict =
  | { readonly duplicate: true; readonly status: CommentStatus }
  | {
      readonly duplicate: false;
      readonly status: 'approved' | 'pending';
      readonly articleId: string;
      readonly threadId: string | null;
    };

/**
 * Decides about a submission, in the order of refusals (docs/spec/rulings.md, 8).
 *
 * @throws ServiceError COMMENTS_DISABLED, NOT_FOUND, PARENT_NOT_FOUND, COMMENTS_CLOSED, VALIDATION_FAILED for a missing
 *   address, RATE_LIMIT_EXCEEDED with the limit that was reached
 */
export function judge(context: SubmissionContext, submission: Submission, now: Date): Verdict {
  const { article_id: articleId, published_at: publishedAt } = context;
  if (!context.enabled) {
    throw new ServiceError('COMMENTS_DISABLED', 'Comments are switched off on this Site.');
  }
  if (articleId === null || publishedAt === null) {
    throw new ServiceError(
      'NOT_FOUND',
      'slug: is not the slug of a published article. Check it; the article may be unpublished.',
    );
  }
  if (submission.parentId !== null && context.thread_id === null) {
    throw new ServiceError(
      'PARENT_NOT_FOUND',
      'parent_id: is not the id of an approved comment on this article. It may be held or deleted; leave it out to start a thread.',
    );
  }
  if (isClosed(context, publishedAt, now)) {
    throw new ServiceError('COMMENTS_CLOSED', 'This article no longer takes new comments.');
  }
  if (context.require_email && submission.authorEmail === null) {
    throw validationFailed({ author_email: 'is required: this Site asks for an address with each comment' });
  }
  if (context.first_status !== null) return { duplicate: true, status: context.first_status };
  const status = isHeld(context, submission) ? 'pending' : 'approved';
  refuseBeyondLimits(context, status, now);
  return { duplicate: false, status, articleId, threadId: context.thread_id };
}

const LINK = /https?:\/\/|www\./i;

function isHeld({ moderation }: SubmissionContext, { body, authorName }: Submission): boolean {
  if (moderation === 'none') return false;
  return moderation === 'hold_all' || LINK.test(body) || LINK.test(authorName);
}

function refuseBeyondLimits(context: SubmissionContext, status: 'approved' | 'pending', now: Date): void {
  if (context.reader_since !== null) {
    throw limited(
      'reader',
      `This reader has sent ${READER_LIMIT} comments within 10 minutes.`,
      context.reader_since.getTime() + READER_WINDOW_MS - now.getTime(),
    );
  }
  if (context.site_since !== null) {
    throw limited(
      'site',
      `This Site has received ${SITE_LIMIT} comments within an hour.`,
      context.site_since.getTime() + SITE_WINDOW_MS - now.getTime(),
    );
  }
  // An approved comment does not enter the queue.
  if (status === 'pending' && context.pending >= QUEUE_LIMIT) {
    throw limited(
      'queue',
      `${QUEUE_LIMIT} comments wait to be reviewed on this Site. It accepts more after some have been reviewed.`,
      QUEUE_RETRY_MS,
    );
  }
}

function limited(limit: 'reader' | 'site' | 'queue', message: string, waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError('RATE_LIMIT_EXCEEDED', `${message} Try again in ${seconds} seconds.`, {
    limit,
    headers: { 'Retry-After': String(seconds) },
  });
}
