import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Article } from '../articles/row.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Site } from '../kernel/site.ts';

type Reviewing = Pick<Site, 'requiredReviews'>;

/** The number by which reviews name the text of an article, or of its pending edit: null if there is no edit. */
export const newestText = (articleId: FragmentSqlToken, subject: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`
    case ${subject}
      when 'article' then (
        select coalesce(max(number), 1) from article_revisions where article_id = ${articleId}
      )
      else (select text_number from pending_edits where article_id = ${articleId})
    end`;

const countRow = z.object({ people: z.number() });

/**
 * What stands against publishing a text: the error, or null if as many people as the Site wants have approved it. Nobody
 * approves their own text (domain/reviews/decide.ts). What was approved before somebody asked for changes is void.
 *
 * Read after the article, whose version or lock then keeps the text as it is.
 */
export async function missingApprovals(
  db: Queryable,
  { requiredReviews: required }: Reviewing,
  articleId: string,
  subject: 'article' | 'pending_edit',
): Promise<ServiceError | null> {
  if (required === 0) return null;
  const { people } = await db.one(sql.type(countRow)`
    select count(distinct a.member_id)::int as people
    from reviews r join review_approvals a on a.review_id = r.id
    where r.article_id = ${articleId} and r.subject = ${subject} and r.state in ('requested', 'approved')
      and r.text_number is not null
      and a.text_number = ${newestText(sql.fragment`r.article_id`, sql.fragment`r.subject`)}
      and not exists (
        select from reviews later
        where later.article_id = r.article_id and later.state = 'changes_requested' and later.id > r.id
      )`);
  return people >= required
    ? null
    : unreviewed(
        `This Site publishes what ${required === 1 ? 'another person has' : `${required} other people have`} approved, and ${people === 0 ? 'nobody has' : `${people} of them has`} approved this text as it is now. Ask for a review with POST /articles/{id}/review.`,
      );
}

/**
 * A Site that wants reviews has no edits that readers would see without one.
 *
 * @throws ServiceError PREREQUISITE_MISSING
 */
export function requireReviewedEdits(
  { requiredReviews }: Reviewing,
  { status }: Pick<Article, 'status'>,
): void {
  if (requiredReviews === 0) return;
  if (status === 'published')
    throw unreviewed(
      'This Site publishes only what has been approved. Edit the article with PATCH /articles/{id}/pending, and ask for a review of that.',
    );
  if (status === 'scheduled')
    throw unreviewed(
      'This Site publishes only what has been approved. Before you edit the article, cancel its schedule with POST /articles/{id}/cancel-schedule.',
    );
}

const unreviewed = (message: string): ServiceError => new ServiceError('PREREQUISITE_MISSING', message);
