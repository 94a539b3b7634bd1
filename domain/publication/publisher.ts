import type { Caller } from '../access/authenticate.ts';
import type { Article } from '../articles/row.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Site } from '../kernel/site.ts';
import { isShownOrWillBe } from './publication-rules.ts';
import { requireReviewedEdits } from './required-reviews.ts';

/** Who changes an article: a caller, or a job that works for one. */
export type Publisher = Pick<Caller, 'mayPublish'>;

type Target = Pick<Article, 'status'>;

/** @throws ServiceError INSUFFICIENT_SCOPE if it may not change what readers see or will see */
export function requirePublisher(
  { mayPublish }: Publisher,
  instead = 'POST /articles/{id}/review asks people who have it.',
): void {
  if (mayPublish) return;
  throw new ServiceError(
    'INSUFFICIENT_SCOPE',
    `This changes what readers see or will see, which needs the permission articles.publish. ${instead}`,
  );
}

/**
 * Whoever writes edits drafts.
 *
 * @throws ServiceError INSUFFICIENT_SCOPE for what readers see or will see; PREREQUISITE_MISSING for it on a Site that
 *   wants reviews
 */
export function requireEditor(
  publisher: Publisher,
  target: Target,
  site: Pick<Site, 'requiredReviews'>,
): void {
  if (target.status === 'published')
    requirePublisher(publisher, 'PATCH /articles/{id}/pending keeps your edit for a person who has it.');
  else if (isShownOrWillBe(target.status)) requirePublisher(publisher);
  requireReviewedEdits(site, target);
}

/** Whoever writes deletes drafts. @throws ServiceError INSUFFICIENT_SCOPE for what readers see or will see */
export function requireRemover(publisher: Publisher, { status }: Target): void {
  if (isShownOrWillBe(status)) requirePublisher(publisher);
}
