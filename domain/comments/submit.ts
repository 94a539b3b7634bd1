import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { requireEventQuota } from '../events/ceiling.ts';
import { recordEvent } from '../events/events.ts';
import { notify } from '../notifications/notify.ts';
import { newId } from '../kernel/ids.ts';
import { purgeComments } from '../purge/purge.ts';
import type { Purging } from '../purge/purge.ts';
import { noteCommentEvent } from './comment-events.ts';
import { presentCommentEvent } from './present.ts';
import { makeSalt, readerHash, saltDay } from './reader.ts';
import { bumpThread, lockComments, moveCommentCounts } from './site-comments.ts';
import { judge, readSubmissionContext } from './submission-context.ts';
import type { Submission, Verdict } from './submission-context.ts';
import { contentHash } from './submission-log.ts';

/** The answer to the Site's server (docs/spec/service-api.md, Comment, SubmittedComment). */
export interface Submitted {
  readonly status: 'approved' | 'pending';
  readonly duplicate: boolean;
}

/**
 * Accepts a reader's comment. It is judged twice: first without a lock, so that refused and duplicate comments do not
 * wait; then with the Site's comments locked, which makes limits and duplicates exact under concurrency. At most 300 an
 * hour get that far.
 *
 * @throws ServiceError as {@link judge} does; RATE_LIMIT_EXCEEDED while the Site's events have reached their ceiling
 */
export async function submitComment(
  tx: Transaction,
  site: Site,
  purging: Purging,
  submission: Submission,
  now: Date,
): Promise<Submitted> {
  const context = await readSubmissionContext(tx, site.id, submission, now);
  const first = judge(context, submission, now);
  if (first.duplicate) return answerTo(first);
  requireEventQuota(site, { limit: 'site' });
  if (submission.reader !== null && !context.salted) await makeSalt(tx, now);
  const [, locked] = await Promise.all([
    lockComments(tx, site.id),
    readSubmissionContext(tx, site.id, submission, now),
  ]);
  const verdict = judge(locked, submission, now);
  if (!verdict.duplicate) {
    store(tx, site, submission, verdict, now);
    if (verdict.status === 'approved') purgeComments(tx, purging, [verdict.articleId], now);
  }
  return answerTo(verdict);
}

/** Spam is reported as pending, so that a spammer learns nothing. */
const answerTo = ({ status, duplicate }: Verdict): Submitted => ({
  status: status === 'approved' ? 'approved' : 'pending',
  duplicate,
});

/** The transaction reads none of it again, so all of it is sent with COMMIT. */
function store(
  tx: Transaction,
  site: Site,
  submission: Submission,
  { articleId, threadId, status }: Extract<Verdict, { duplicate: false }>,
  now: Date,
): void {
  const id = newId();
  const { slug, authorName, authorEmail, body, reader } = submission;
  const approved = status === 'approved';
  const salt = sql.fragment`(select salt from reader_salts where day = ${saltDay(now)}::date)`;
  const hash = reader === null ? sql.fragment`null` : readerHash(salt, reader.digest);
  tx.atCommit(statement`
    insert into comments (
      id, site_id, article_id, parent_id, status, is_public, author_name, author_email, body, created_at, updated_at
    ) values (
      ${id}, ${site.id}, ${articleId}, ${threadId}, ${status}, ${approved}, ${authorName}, ${authorEmail}, ${body},
      ${at(now)}, ${at(now)}
    )`);
  tx.atCommit(statement`
    insert into comment_submissions (comment_id, site_id, article_id, content_hash, reader_hash, created_at)
    values (${id}, ${site.id}, ${articleId}, ${sql.binary(contentHash(submission))}, ${hash}, ${at(now)})`);
  moveCommentCounts(tx, site.id, { [status]: 1 });
  if (approved) bumpThread(tx, articleId);
  else {
    const target = { type: 'comment', id };
    notify(tx, { kind: 'comment.held', siteId: site.id, actor: null, target }, now);
  }
  const data = presentCommentEvent({
    id,
    article_id: articleId,
    slug,
    parent_id: threadId,
    status,
    author_name: authorName,
    body,
    created_at: now,
  });
  const eventId = recordEvent(tx, site.id, 'comment.created', data, now);
  noteCommentEvent(tx, site, eventId, id, authorEmail);
}
