import { at, statement } from '../../db/sql.ts';
import { differences } from '../audit/details.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { conflict } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { purgeComments } from '../purge/purge.ts';
import type { Purging } from '../purge/purge.ts';
import { tellOfComments } from './comment-events.ts';
import { getComment } from './comment.ts';
import type { Comment } from './comment.ts';
import { bumpThread, moveCommentCounts } from './site-comments.ts';
import type { CommentStatus } from './site-comments.ts';

const actions = { approved: 'comment.approve', pending: 'comment.hold', spam: 'comment.spam' } as const;

/**
 * Approves a comment, holds it, or marks it as spam; does nothing if it already has the status. The replies of a first
 * comment are shown and hidden with it.
 *
 * @param current a comment, with the Site's comments locked by this transaction
 */
export async function moderateComment(
  change: Change,
  purging: Purging,
  current: Comment,
  status: CommentStatus,
): Promise<Comment> {
  if (current.status === status) return current;
  const { tx, site, now } = change;
  const approved = status === 'approved';
  await tx.exec(statement`
    update comments c set
      status = ${status}, updated_at = ${at(now)}, spam_marked_at = ${status === 'spam' ? at(now) : null},
      is_public = ${approved}::boolean
        and not exists (select from comments f where f.id = c.parent_id and f.status <> 'approved')
    where c.id = ${current.id}`);
  await tx.exec(statement`
    update comments set is_public = ${approved}
    where parent_id = ${current.id} and status = 'approved' and is_public <> ${approved}`);
  moveCommentCounts(tx, site.id, { [current.status]: -1, [status]: 1 });
  const comment = await getComment(tx, site.id, current.id);
  if (approved) await tellOfComments(change, 'comment.approved', [comment.id]);
  if (current.status === 'approved') await tellOfComments(change, 'comment.removed', [comment.id]);
  if (current.is_public !== comment.is_public) {
    bumpThread(tx, comment.article_id);
    purgeComments(tx, purging, [comment.article_id], now);
  }
  recordChange(change, actions[status], targetOf(comment.id), differences(current, comment, ['status']));
  return comment;
}

/**
 * Adds the Site's own reply: approved, in the thread of the comment.
 *
 * @param to a comment, with the Site's comments locked by this transaction
 * @throws ServiceError CONFLICT if readers do not see that comment
 */
export async function replyAsSite(
  change: Change,
  purging: Purging,
  to: Comment,
  { body, authorName }: { readonly body: string; readonly authorName: string },
): Promise<Comment> {
  const { tx, site, now } = change;
  if (!to.is_public) {
    const held = to.status === 'approved' ? 'The first comment of this thread is' : 'This comment is';
    throw conflict(`${held} not approved, so a reply would not be visible. Approve it first.`);
  }
  const id = newId();
  await tx.exec(statement`
    insert into comments (
      id, site_id, article_id, parent_id, status, is_public, author_name, body, is_reply_by_site, created_at, updated_at
    ) values (
      ${id}, ${site.id}, ${to.article_id}, ${to.parent_id ?? to.id}, 'approved', true, ${authorName}, ${body}, true,
      ${at(now)}, ${at(now)}
    )`);
  moveCommentCounts(tx, site.id, { approved: 1 });
  bumpThread(tx, to.article_id);
  purgeComments(tx, purging, [to.article_id], now);
  recordChange(change, 'comment.reply', targetOf(id), { to: to.id });
  return getComment(tx, site.id, id);
}

const targetOf = (id: string) => ({ type: 'comment', id });
