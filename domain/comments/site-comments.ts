import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement } from '../../db/sql.ts';

const siteIdRow = z.object({ site_id: z.string() });

export const commentStatuses = ['approved', 'pending', 'spam'] as const;

export type CommentStatus = (typeof commentStatuses)[number];

const countsRow = z.object({ approved: z.number(), pending: z.number(), spam: z.number() });

/** How many comments a Site has of each status. */
export type CommentCounts = z.infer<typeof countsRow>;

/**
 * Locks a Site's comments until the transaction ends. Every write of comments takes this lock first, after an article's
 * lock and before anything else: submissions are then counted one after the other, and writes never deadlock.
 */
export const lockComments = (tx: Transaction, siteId: string): Promise<number> =>
  tx.exec(statement`select from site_comments where site_id = ${siteId} for no key update`);

/** Reads the stored counts: no comment is counted here. */
export async function readCounts(db: Queryable, siteId: string): Promise<CommentCounts> {
  const row = await db.maybeOne(sql.type(countsRow)`
    select approved, pending, spam from site_comments where site_id = ${siteId}`);
  return row ?? { approved: 0, pending: 0, spam: 0 };
}

/** Updates the counts, in the transaction that changes the comments. */
export function moveCommentCounts(
  tx: Transaction,
  siteId: string,
  by: Readonly<Partial<CommentCounts>>,
): void {
  const { approved = 0, pending = 0, spam = 0 } = by;
  tx.atCommit(statement`
    update site_comments
    set approved = approved + ${approved}::int, pending = pending + ${pending}::int, spam = spam + ${spam}::int
    where site_id = ${siteId}`);
}

/** Increases the version of an article's public comments. */
export function bumpThread(tx: Transaction, articleId: string): void {
  tx.atCommit(statement`
    insert into comment_threads as t (article_id, version) values (${articleId}, 1)
    on conflict (article_id) do update set version = t.version + 1`);
}

const driftRow = countsRow.extend({ site_id: z.string() });

/** The difference of a Site's counts: the missing ones, or, below zero, the excess. */
export type CommentDrift = z.infer<typeof driftRow>;

/** How often each Site's counts are checked against its comments. */
const CHECK_EVERY_MS = 24 * 60 * 60_000;

/**
 * Checks the counts of the Site with the oldest check against its comments, and corrects them. Counts and comments
 * change in one transaction, so a single snapshot shows both consistently. The Site is only locked if they differ.
 *
 * @returns null if no Site is due; else the differences, each of which is a defect
 */
export async function checkCounts(tx: Transaction, now: Date): Promise<CommentDrift | null> {
  const due = await tx.maybeOne(sql.type(siteIdRow)`
    select site_id from site_comments
    where checked_at is null or checked_at <= ${at(new Date(now.getTime() - CHECK_EVERY_MS))}
    order by checked_at nulls first, site_id limit 1`);
  if (due === null) return null;
  let drift = await readDrift(tx, due.site_id);
  if (isOff(drift)) {
    await lockComments(tx, due.site_id);
    drift = await readDrift(tx, due.site_id);
    moveCommentCounts(tx, due.site_id, drift);
  }
  await tx.exec(statement`update site_comments set checked_at = ${at(now)} where site_id = ${due.site_id}`);
  return drift;
}

export const isOff = ({ approved, pending, spam }: CommentDrift): boolean =>
  approved !== 0 || pending !== 0 || spam !== 0;

const readDrift = (tx: Transaction, siteId: string): Promise<CommentDrift> =>
  tx.one(sql.type(driftRow)`
    select s.site_id, (c.approved - s.approved)::int as approved, (c.pending - s.pending)::int as pending,
      (c.spam - s.spam)::int as spam
    from site_comments s
    cross join lateral (
      select count(*) filter (where status = 'approved') as approved,
        count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'spam') as spam
      from comments where site_id = s.site_id
    ) c
    where s.site_id = ${siteId}`);
