import type { Transaction } from '../../db/transaction.ts';
import { at, statement } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { recordAudit } from '../audit.ts';
import type { Actor } from '../audit.ts';
import { conflict } from '../errors.ts';
import { newId } from '../ids.ts';
import { getComment } from './comment.ts';
import type { Comment } from './comment.ts';
import { bumpThread, moveCounts } from './site-comments.ts';
import type { CommentStatus } from './site-comments.ts';

const actions = { approved: 'comment.approve', pending: 'comment.hold', spam: 'comment.spam' } as const;

/**
 * Approves a comment, holds it, or marks it as spam; one that is so already is left as it is. The replies of a
 * first comment are shown and hidden with it.
 *
 * @param current with the Site's comments locked by this transaction
 */
export async function moderateComment(
  tx: Transaction,
  site: Site,
  actor: Actor,
  current: Comment,
  status: CommentStatus,
  now: Date,
): Promise<Comment> {
  if (current.status === status) return current;
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
  moveCounts(tx, site.id, { [current.status]: -1, [status]: 1 });
  const comment = await getComment(tx, site.id, current.id);
  if (current.is_public !== comment.is_public) bumpThread(tx, comment.article_id);
  await audit(tx, site, actor, actions[status], comment.id, { from: current.status }, now);
  return comment;
}

/**
 * The Site's own reply: approved, in the thread of the comment.
 *
 * @param to with the Site's comments locked by this transaction
 * @throws ServiceError CONFLICT where readers do not see that comment
 */
export async function replyAsSite(
  tx: Transaction,
  site: Site,
  actor: Actor,
  to: Comment,
  { body, authorName }: { readonly body: string; readonly authorName: string },
  now: Date,
): Promise<Comment> {
  if (!to.is_public) {
    const held = to.status === 'approved' ? 'The first comment of this thread is' : 'This comment is';
    throw conflict(`${held} not approved, so nobody would see a reply. Approve it first.`);
  }
  const id = newId();
  await tx.exec(statement`
    insert into comments (
      id, site_id, article_id, parent_id, status, is_public, author_name, body, is_reply_by_site, created_at, updated_at
    ) values (
      ${id}, ${site.id}, ${to.article_id}, ${to.parent_id ?? to.id}, 'approved', true, ${authorName}, ${body}, true,
      ${at(now)}, ${at(now)}
    )`);
  moveCounts(tx, site.id, { approved: 1 });
  bumpThread(tx, to.article_id);
  await audit(tx, site, actor, 'comment.reply', id, { to: to.id }, now);
  return getComment(tx, site.id, id);
}

const audit = (
  tx: Transaction,
  site: Site,
  actor: Actor,
  action: string,
  id: string,
  details: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> => {
  const place = { siteId: site.id, organisationId: site.organisationId };
  return recordAudit(tx, { actor, action, target: { type: 'comment', id }, ...place, details }, now);
};
