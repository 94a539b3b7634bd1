import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { recordEvent } from '../events.ts';
import { newId } from '../ids.ts';
import { noteCommentEvent } from './comment-events.ts';
import { makeSalt, readerHash, saltDay } from './reader.ts';
import { bumpThread, lockComments, moveCounts } from './site-comments.ts';
import { judge, readStanding } from './standing.ts';
import type { Submission, Verdict } from './standing.ts';
import { contentHash } from './submission-log.ts';

/** What the Site's server is told (specification, SubmittedComment). */
export interface Submitted {
  readonly status: 'approved' | 'pending';
  readonly duplicate: boolean;
}

/**
 * Takes a reader's comment. It is judged twice: first as things are, so that what is refused, or has been sent
 * before, waits for nobody; then with the Site's comments locked, which makes limits and duplicates exact however
 * many come at once. At most 300 an hour get that far.
 *
 * @throws ServiceError as {@link judge} does
 */
export async function submitComment(
  tx: Transaction,
  site: Site,
  submission: Submission,
  now: Date,
): Promise<Submitted> {
  const standing = await readStanding(tx, site.id, submission, now);
  const first = judge(standing, submission, now);
  if (first.duplicate) return answerTo(first);
  if (submission.reader !== null && !standing.salted) await makeSalt(tx, now);
  const [, locked] = await Promise.all([
    lockComments(tx, site.id),
    readStanding(tx, site.id, submission, now),
  ]);
  const verdict = judge(locked, submission, now);
  if (!verdict.duplicate) store(tx, site, submission, verdict, now);
  return answerTo(verdict);
}

/** Spam is shown as pending: a spammer learns nothing. */
const answerTo = ({ status, duplicate }: Verdict): Submitted => ({
  status: status === 'approved' ? 'approved' : 'pending',
  duplicate,
});

/** Nothing of it is read again in the transaction: all of it travels with COMMIT. */
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
  const hash = reader === null ? sql.fragment`null` : readerHash(salt, reader);
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
  moveCounts(tx, site.id, { [status]: 1 });
  if (approved) bumpThread(tx, articleId);
  const said = {
    id,
    article_id: articleId,
    slug,
    parent_id: threadId,
    status,
    author_name: authorName,
    body,
  };
  const data = { ...said, created_at: now.toISOString() };
  const eventId = recordEvent(tx, site.id, 'comment.created', data, now);
  noteCommentEvent(tx, site, eventId, id, authorEmail);
}
