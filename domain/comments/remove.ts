import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { endErasures } from '../approvals/expire.ts';
import type { Actor } from '../audit/record.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { mayBeWanted } from '../events/events.ts';
import { redactEvents, tellOfComments } from './comment-events.ts';
import { purgeComments } from '../purge/purge.ts';
import type { Purging } from '../purge/purge.ts';
import { lockComments } from './site-comments.ts';
import { clearContentHashes } from './submission-log.ts';

const removedRow = z.object({ ids: z.array(z.string()), articles: z.array(z.string()) });

type Removed = z.infer<typeof removedRow>;

const idRow = z.object({ id: z.string() });

type Telling = Pick<Change, 'tx' | 'site' | 'now'>;

/**
 * Deletes comments of a Site with the replies to them, updates counts and ETags, and tells of the approved ones. The Site's comments are locked by
 * this transaction.
 *
 * @param which a condition on comments under the name `c`
 * @returns the ids of all deleted comments, and of the articles where readers saw one of them
 */
async function removeComments(change: Telling, which: FragmentSqlToken): Promise<Removed> {
  const { tx, site } = change;
  const siteId = site.id;
  const named = sql.fragment`select c.id from comments c where c.site_id = ${siteId} and ${which}`;
  const doomed = sql.fragment`
    select id from named union
    select r.id from comments r where r.parent_id = any(array(select id from named))`;
  if (mayBeWanted(site, 'comment.removed')) {
    const approved = await tx.any(sql.type(idRow)`
      with named as (${named}), doomed as (${doomed})
      select c.id from comments c where c.id = any(array(select id from doomed)) and c.status = 'approved' order by c.id`);
    await tellOfComments(
      change,
      'comment.removed',
      approved.map(({ id }) => id),
    );
  }
  // Ids are passed on as arrays: a join would be planned for the threads of an average Site.
  return tx.one(sql.type(removedRow)`
    with named as (${named}), doomed as (${doomed}), gone as (
      delete from comments c where c.id = any(array(select id from doomed))
      returning c.id, c.article_id, c.status, c.is_public
    ), counted as (
      update site_comments s set
        approved = s.approved - g.approved, pending = s.pending - g.pending, spam = s.spam - g.spam
      from (
        select count(*) filter (where status = 'approved') as approved,
          count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'spam') as spam
        from gone
      ) g
      where s.site_id = ${siteId}
    ), changed as (
      update comment_threads set version = version + 1 where article_id in (select article_id from gone where is_public)
    )
    select array(select id from gone) as ids, array(select distinct article_id from gone where is_public) as articles`);
}

/** Deletes a comment and, if it is the first of a thread, its replies. */
export async function deleteComment(change: Change, purging: Purging, id: string): Promise<void> {
  const { ids, articles } = await removeComments(change, sql.fragment`c.id = ${id}`);
  recordChange(change, 'comment.delete', { type: 'comment', id }, { deleted: ids.length });
  if (articles.length > 0) purgeComments(change.tx, purging, articles, change.now);
}

/**
 * Deletes an article's comments before the article is deleted. The article's row is locked; this takes the lock on the
 * comments.
 *
 * @returns how many
 */
export async function deleteCommentsOf(change: Change, articleId: string): Promise<number> {
  await lockComments(change.tx, change.site.id);
  const { ids } = await removeComments(change, sql.fragment`c.article_id = ${articleId}`);
  return ids.length;
}

/**
 * Erases everyone who wrote under an address: every comment with the replies to it, and their traces in events and
 * recorded answers (docs/spec/service-api.md, Comments, POST /comments/erase). All of it happens in the caller's
 * transaction.
 *
 * @returns how many comments were deleted
 */
export async function eraseAuthor(
  change: Change & { readonly site: Site },
  purging: Purging,
  authorEmail: string,
): Promise<number> {
  const { tx, site } = change;
  // Before the lock, because an agent's request also takes its approval first.
  await endErasures(tx, site.id, authorEmail, change.now);
  await lockComments(tx, site.id);
  const address = authorEmail.toLowerCase();
  const { ids, articles } = await removeComments(
    change,
    sql.fragment`c.author_email is not null and lower(c.author_email) = ${address}`,
  );
  await redactEvents(tx, site, ids, authorEmail);
  await clearContentHashes(tx, ids);
  const replies = ids.map((id) => `POST /comments/${id}/reply`);
  await tx.exec(statement`
    delete from idempotency_records where site_id = ${site.id} and operation = any(${array(replies, 'text')})`);
  recordChange(change, 'comments.erase', { type: 'site', id: site.id }, { deleted: ids.length });
  if (articles.length > 0) purgeComments(tx, purging, articles, change.now);
  return ids.length;
}

const SPAM_RETENTION_MS = 30 * 24 * 60 * 60_000;

const sweeper: Actor = { kind: 'system', name: 'spam-sweep' };

const dueRow = z.object({
  id: z.string(),
  organisation_id: z.string(),
  subscribed_events: z.array(z.string()),
});

/**
 * Deletes spam 30 days after it was marked: a batch of one Site.
 *
 * @param batch threads at most
 * @returns how many comments were deleted (zero if another sweep was faster), or null if nothing is due on any Site
 */
export async function sweepSpam(tx: Transaction, now: Date, batch: number): Promise<number | null> {
  const due = sql.fragment`c.status = 'spam' and c.spam_marked_at <= ${at(new Date(now.getTime() - SPAM_RETENTION_MS))}`;
  const row = await tx.maybeOne(sql.type(dueRow)`
    select s.id, s.organisation_id, s.subscribed_events from comments c join sites s on s.id = c.site_id
    where ${due} order by c.spam_marked_at limit 1`);
  if (row === null) return null;
  const { organisation_id: organisationId, subscribed_events: subscribedEvents } = row;
  const site = { id: row.id, organisationId, subscribedEvents };
  const change = { tx, site, actor: sweeper, now };
  await lockComments(tx, site.id);
  const some = sql.fragment`c.id in (
    select c.id from comments c where c.site_id = ${site.id} and ${due} order by c.spam_marked_at limit ${batch})`;
  const { ids } = await removeComments(change, some);
  if (ids.length > 0)
    recordChange(change, 'comments.sweep', { type: 'site', id: site.id }, { deleted: ids.length });
  return ids.length;
}
