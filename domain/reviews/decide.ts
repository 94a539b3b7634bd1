import { z } from 'zod';
import { at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import type { AuditAction } from '../audit/actions.ts';
import type { Caller } from '../access/authenticate.ts';
import { offerEvent } from '../events/events.ts';
import { conflict, ServiceError } from '../kernel/errors.ts';
import type { Site } from '../kernel/site.ts';
import { notify } from '../notifications/notify.ts';
import { presentReview } from './present.ts';
import { getOpenReview, getReview, isOutdated, lockReviewed } from './review.ts';
import type { Review } from './review.ts';

type ReviewChange = Change & { readonly site: Pick<Site, 'id' | 'organisationId' | 'requiredReviews'> };

/** How a client says which text it has read. */
export interface Approval {
  readonly note: string | null;
  /** The number of the revision. */
  readonly revision: number | undefined;
  /** Whether it named the Review as it is now, by its ETag. @throws ServiceError PRECONDITION_FAILED for another one */
  readonly named: (review: Review) => boolean;
}

/**
 * Approves the text as it is now. The review is decided once as many people have as the Site wants, at least one.
 *
 * @throws ServiceError NOT_FOUND; CONFLICT without an open review, for a text that the caller has not named and that has
 *   changed, and for a second approval; FORBIDDEN for a person who may not decide this one
 */
export async function approveReview(
  change: ReviewChange,
  caller: Caller,
  articleId: string,
  { note, revision, named }: Approval,
): Promise<Review> {
  const { tx, site, now } = change;
  const review = await decidable(change, caller, articleId);
  const isNamed = named(review);
  const newest = review.newest_text as number;
  if (revision === undefined ? isOutdated(review) && !isNamed : isOtherRevision(review, revision))
    throw conflict(
      `The text has changed since the review was asked for. Read it, and approve it with ${review.subject === 'article' ? `revision: ${newest}, or with ` : ''}If-Match and the ETag of GET /articles/{id}/review.`,
    );
  const added = await tx.exec(statement`
    insert into review_approvals as a (review_id, member_id, text_number, note, at)
    values (${review.id}, ${caller.memberId}, ${newest}, ${note}, ${at(now)})
    on conflict (review_id, member_id) do update set text_number = excluded.text_number, note = excluded.note, at = excluded.at
    where a.text_number <> excluded.text_number`);
  if (added === 0) throw conflict('You have approved this text already. Another person has to.');
  const { people } = await tx.one(sql.type(countRow)`
    select count(*)::int as people from review_approvals where review_id = ${review.id} and text_number = ${newest}`);
  const decided = people >= site.requiredReviews;
  await tx.exec(statement`
    update reviews set text_number = ${newest}, version = version + 1
    where id = ${review.id}`);
  return decided
    ? decide(change, caller, review, { state: 'approved', note, action: 'review.approve' })
    : recorded(change, review, 'review.approve');
}

const countRow = z.object({ people: z.number() });

const isOtherRevision = ({ subject, newest_text: newest }: Review, revision: number): boolean =>
  subject !== 'article' || revision !== newest;

/** Asks the author for changes. @throws as `approveReview` does */
export async function requestChanges(
  change: ReviewChange,
  caller: Caller,
  articleId: string,
  note: string,
): Promise<Review> {
  const review = await decidable(change, caller, articleId);
  return decide(change, caller, review, {
    state: 'changes_requested',
    note,
    action: 'review.request_changes',
  });
}

/** Withdraws the open review of an article. @throws ServiceError NOT_FOUND; CONFLICT without one; INSUFFICIENT_SCOPE */
export async function withdrawReview(
  change: Change,
  { memberId, mayPublish }: Caller,
  articleId: string,
): Promise<void> {
  const { tx, site } = change;
  await lockReviewed(tx, site.id, articleId);
  const review = await getOpenReview(tx, articleId);
  if (review.requested_by_id !== memberId && !mayPublish)
    throw new ServiceError(
      'INSUFFICIENT_SCOPE',
      'A review is withdrawn by the person who asked for it, or by one with the permission articles.publish.',
    );
  await tx.exec(statement`
    update reviews set state = 'withdrawn', version = version + 1 where id = ${review.id}`);
  await recorded(change, review, 'review.withdraw');
}

/** The open review of an article, which is locked. @throws ServiceError if there is none, or the caller may not decide it */
async function decidable({ tx, site }: ReviewChange, caller: Caller, articleId: string): Promise<Review> {
  await lockReviewed(tx, site.id, articleId);
  const review = await getOpenReview(tx, articleId);
  if (await hasWritten(tx, review, caller.memberId))
    throw new ServiceError('FORBIDDEN', 'Nobody decides about their own text. Another person has to.');
  const { reviewer_ids: reviewers } = review;
  const isAsked = reviewers.length === 0 || reviewers.includes(caller.memberId);
  if (!isAsked && caller.role !== 'owner' && caller.role !== 'admin')
    throw new ServiceError(
      'FORBIDDEN',
      'This review was asked of other people. One of its reviewers, an admin or the owner decides.',
    );
  return review;
}

const writtenRow = z.object({ written: z.boolean() });

/** Whether a person made the newest revision, or changed the pending edit. What their agent did was not done by them. */
async function hasWritten(
  tx: Transaction,
  { article_id: articleId, subject }: Review,
  memberId: string,
): Promise<boolean> {
  const { written } = await tx.one(
    subject === 'pending_edit'
      ? sql.type(writtenRow)`
          select ${memberId}::uuid = any(changed_by) as written from pending_edits where article_id = ${articleId}`
      : sql.type(writtenRow)`
          select coalesce(bool_or(n.actor_id = ${memberId} or k.id is not null), false) as written
          from (
            select actor_id from article_revisions where article_id = ${articleId} order by number desc limit 1
          ) n
          left join api_keys k on k.id = n.actor_id and k.member_id = ${memberId} and not k.held_by_agent`,
  );
  return written;
}

interface Decision {
  readonly state: 'approved' | 'changes_requested';
  readonly note: string | null;
  readonly action: AuditAction;
}

/** Ends a review, and tells whoever asked for it. */
async function decide(
  change: Change,
  { memberId }: Caller,
  review: Review,
  { state, note, action }: Decision,
): Promise<Review> {
  await change.tx.exec(statement`
    update reviews set state = ${state}, decided_by = ${memberId}, decided_at = ${at(change.now)},
      decision_note = ${note}, version = version + 1
    where id = ${review.id}`);
  const decided = await recorded(change, review, action);
  offerEvent(change, 'review.decided', () => presentReview(decided));
  const { tx, site, actor, now } = change;
  const target = { type: 'article', id: review.article_id };
  const to = sql.fragment`select ${review.requested_by_id}::uuid`;
  const named = { title: review.title ?? '', state };
  notify(tx, { kind: 'review.decided', siteId: site.id, to, actor, target, named }, now);
  return decided;
}

function recorded(change: Change, review: Review, action: AuditAction): Promise<Review> {
  const details = { article_id: review.article_id, subject: review.subject };
  recordChange(change, action, { type: 'review', id: review.id }, details);
  return getReview(change.tx, review.article_id, review.id);
}
