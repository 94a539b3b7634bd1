import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { conflict, notFound, ServiceError } from '../kernel/errors.ts';
import { newestFirst, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { siteObject } from '../kernel/site-object.ts';
import type { Site } from '../kernel/site.ts';
import { people, person, personRow } from '../organisations/person.ts';
import { newestText } from '../publication/required-reviews.ts';

export const reviewStates = ['requested', 'approved', 'changes_requested', 'withdrawn'] as const;
export const reviewSubjects = ['article', 'pending_edit'] as const;

const reviewRow = z.object({
  id: z.string(),
  article_id: z.string(),
  /** Of the article. */
  title: z.string().nullable(),
  state: z.enum(reviewStates),
  subject: z.enum(reviewSubjects),
  /** What is reviewed: the number of a revision, or the text number of a pending edit; null once that is gone. */
  text_number: z.number().nullable(),
  /** The same number of the text as it is now. */
  newest_text: z.number().nullable(),
  requested_by_id: z.string(),
  reviewer_ids: z.array(z.string()),
  requested_by: personRow,
  reviewers: z.array(personRow),
  note: z.string().nullable(),
  due_date: z.string().nullable(),
  /** Each with its time as the database writes it. */
  approvals: z.array(z.object({ by: personRow, at: z.string(), note: z.string().nullable() })),
  decided_by: personRow.nullable(),
  decided_at: timestamp.nullable(),
  decision_note: z.string().nullable(),
  version: z.number(),
  created_at: timestamp,
});

/** A question to people whether a text may be published (docs/spec/rulings.md, 23, Review). */
export type Review = z.infer<typeof reviewRow>;

const columns = sql.fragment`
  r.id, r.article_id, (select a.title from articles a where a.id = r.article_id) as title, r.state, r.subject, r.text_number, r.requested_by as requested_by_id, r.reviewer_ids,
  ${newestText(sql.fragment`r.article_id`, sql.fragment`r.subject`)} as newest_text,
  ${person(sql.fragment`r.requested_by`)} as requested_by, ${people(sql.fragment`r.reviewer_ids`)} as reviewers,
  r.note, r.due_date::text as due_date,
  (
    select coalesce(jsonb_agg(jsonb_build_object('by', ${person(sql.fragment`a.member_id`)}, 'at', a.at, 'note', a.note)
      order by a.at, a.member_id), '[]')
    from review_approvals a where a.review_id = r.id
  ) as approvals,
  ${person(sql.fragment`r.decided_by`)} as decided_by, r.decided_at, r.decision_note, r.version, r.created_at`;

const lockedArticle = siteObject({
  row: z.object({ id: z.string() }),
  columns: sql.fragment`id`,
  from: sql.fragment`articles`,
  noun: 'article',
});

/** Whether the text is another one than the one that is reviewed. */
export const isOutdated = ({ text_number: reviewed, newest_text: newest }: Review): boolean =>
  reviewed !== null && reviewed !== newest;

/**
 * Locks an article, so that its text and its reviews stay as they are. All changes of reviews do.
 *
 * @throws ServiceError NOT_FOUND
 */
export const lockReviewed = (tx: Transaction, siteId: string, articleId: string): Promise<unknown> =>
  lockedArticle.getForUpdate(tx, siteId, articleId);

const newest = (db: Queryable, articleId: string, where: FragmentSqlToken): Promise<Review | null> =>
  db.maybeOne(sql.type(reviewRow)`
    select ${columns} from reviews r where r.article_id = ${articleId} and ${where} order by r.id desc limit 1`);

/** @throws ServiceError NOT_FOUND if there is no such article, or it has no review */
export async function getNewestReview(db: Queryable, siteId: string, articleId: string): Promise<Review> {
  const review = await newest(db, articleId, sql.fragment`r.site_id = ${siteId}`);
  if (review !== null) return review;
  await lockedArticle.get(db, siteId, articleId);
  throw new ServiceError(
    'NOT_FOUND',
    'This article has had no review. Ask for one with POST /articles/{id}/review.',
  );
}

/** The open review of an article that the transaction has locked. @throws ServiceError CONFLICT */
export async function getOpenReview(tx: Transaction, articleId: string): Promise<Review> {
  const review = await newest(tx, articleId, sql.fragment`r.state = 'requested'`);
  if (review === null)
    throw conflict('This article has no open review. Ask for one with POST /articles/{id}/review.');
  return review;
}

/** A review after a change of this transaction. */
export async function getReview(tx: Transaction, articleId: string, id: string): Promise<Review> {
  const review = await newest(tx, articleId, sql.fragment`r.id = ${id}`);
  if (review === null) throw notFound('review');
  return review;
}

export interface ReviewFilters {
  readonly state?: (typeof reviewStates)[number] | undefined;
  readonly reviewer_id?: string | undefined;
  readonly article_id?: string | undefined;
  /** Exclusive. */
  readonly due_before?: string | undefined;
}

/** A page of the reviews of a Site, newest first. */
export function listReviews(
  db: Queryable,
  site: Site,
  request: PageRequest,
  { state, reviewer_id: reviewer, article_id: article, due_before: due }: ReviewFilters,
): Promise<Page<Review>> {
  const all = [
    sql.fragment`r.site_id = ${site.id}`,
    ...(state ? [sql.fragment`r.state = ${state}`] : []),
    ...(reviewer ? [sql.fragment`r.reviewer_ids @> array[${reviewer}::uuid]`] : []),
    ...(article ? [sql.fragment`r.article_id = ${article}`] : []),
    ...(due ? [sql.fragment`r.due_date < ${due}::date`] : []),
  ];
  const where = sql.fragment`${sql.join(all, sql.fragment` and `)}`;
  const query = `reviews ${JSON.stringify([state, reviewer, article, due])}`;
  return readPage(site, query, request, newestFirst('r', 'created_at'), ({ after, order }, count) =>
    db.any(sql.type(reviewRow)`
      select ${columns} from reviews r where ${where} and ${after} order by ${order} limit ${count}`),
  );
}
