import { z } from 'zod';
import { array, at, sql, statement } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import { offerEvent } from '../events/events.ts';
import type { Change } from '../audit/change.ts';
import type { Caller } from '../access/authenticate.ts';
import { newId } from '../kernel/ids.ts';
import { notify } from '../notifications/notify.ts';
import { requireMembers } from '../organisations/known-members.ts';
import { newestText } from '../publication/required-reviews.ts';
import { presentReview } from './present.ts';
import { getReview, lockReviewed } from './review.ts';
import type { Review, reviewSubjects } from './review.ts';

/** Newest reviews of an article that are kept. */
const KEPT = 100;

const subjectRow = z.object({ edited: z.boolean() });

export interface ReviewRequest {
  readonly reviewer_ids?: readonly string[] | undefined;
  readonly note?: string | null | undefined;
  readonly due_date?: string | null | undefined;
}

/**
 * Asks for a review of an article, or of its pending edit if it has one. The database allows one open review.
 *
 * @throws ServiceError NOT_FOUND; VALIDATION_FAILED for reviewers who are no members; CONFLICT while one is open
 */
export async function requestReview(
  change: Change,
  { memberId }: Caller,
  articleId: string,
  { reviewer_ids: ids = [], note = null, due_date: due = null }: ReviewRequest,
): Promise<Review> {
  const { tx, site, now } = change;
  await lockReviewed(tx, site.id, articleId);
  const reviewers = await requireMembers(tx, site.organisationId, 'reviewer_ids', ids);
  const { edited } = await tx.one(sql.type(subjectRow)`
    select exists (select from pending_edits where article_id = ${articleId}) as edited`);
  const subject: (typeof reviewSubjects)[number] = edited ? 'pending_edit' : 'article';
  const id = newId();
  await tx.exec(statement`
    insert into reviews (id, site_id, article_id, state, subject, text_number, requested_by, reviewer_ids, note, due_date, created_at)
    values (${id}, ${site.id}, ${articleId}, 'requested', ${subject},
      ${newestText(sql.fragment`${articleId}::uuid`, sql.fragment`${subject}::text`)},
      ${memberId}, ${array(reviewers, 'uuid')}, ${note}, ${due}::date, ${at(now)})`);
  tx.atCommit(statement`
    delete from reviews where id in (
      select id from reviews where article_id = ${articleId} order by id desc offset ${KEPT})`);
  recordChange(change, 'review.request', { type: 'review', id }, { article_id: articleId, subject });
  const review = await getReview(tx, articleId, id);
  offerEvent(change, 'review.requested', () => presentReview(review));
  tellReviewers(change, review);
  return review;
}

/** Tells those who are asked: the reviewers, or all who may publish. */
function tellReviewers(
  { tx, site, actor, now }: Change,
  { article_id: id, title, reviewer_ids: asked }: Review,
): void {
  const to = asked.length === 0 ? {} : { to: sql.fragment`select unnest(${array(asked, 'uuid')})` };
  const notice = {
    kind: 'review.requested',
    siteId: site.id,
    actor,
    target: { type: 'article', id },
  } as const;
  notify(tx, { ...notice, ...to, named: { title: title ?? '' } }, now);
}
