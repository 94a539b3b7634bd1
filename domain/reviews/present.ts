import { isOutdated } from './review.ts';
import type { Review } from './review.ts';

/** A review as the API returns it (docs/spec/rulings.md, 23, Review). */
export const presentReview = (review: Review) => ({
  id: review.id,
  article_id: review.article_id,
  state: review.state,
  subject: review.subject,
  revision: review.subject === 'article' ? review.text_number : null,
  outdated: isOutdated(review),
  requested_by: review.requested_by,
  reviewers: review.reviewers,
  note: review.note,
  due_date: review.due_date,
  approvals: review.approvals.map(({ by, at, note }) => ({ by, at: new Date(at).toISOString(), note })),
  decided_by: review.decided_by,
  decided_at: review.decided_at?.toISOString() ?? null,
  decision_note: review.decision_note,
  created_at: review.created_at.toISOString(),
});

/** Of its ETag: another text is another state of the review, which shows whether it is outdated. */
export const versionOfReview = ({ version, newest_text: newest }: Review): string =>
  `${version}-${newest ?? 0}`;
