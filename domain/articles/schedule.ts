import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { enqueue } from '../../db/outbox.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import { conflict, validationFailed } from '../errors.ts';
import { resolveSchedulingTime } from '../scheduling-time.ts';
import { moveArticle } from './article.ts';
import type { Article } from './article.ts';
import { canBecomePublic, missingForPublication, whyNotPublic } from './publication-rules.ts';

const scheduledPublishAtRow = z.object({ scheduled_publish_at: timestamp });

/** The id of the process that publishes an article at its time. */
export const scheduledPublishId = (articleId: string): string => `scheduled-publish/${articleId}`;

/**
 * Schedules an article, or moves the time of one that is scheduled (decisions 4).
 *
 * @param current the article, locked by this transaction
 * @param when with an offset, or as wall time of the Site
 * @throws ServiceError CONFLICT from a status that cannot become public; VALIDATION_FAILED for what is
 *   missing, for a time that does not exist or that is not in the future
 */
export async function scheduleArticle(
  tx: Transaction,
  site: { readonly id: string; readonly timezone: string },
  current: Article,
  when: string,
  now: Date,
): Promise<Article> {
  if (!canBecomePublic(current.status)) {
    const why = current.status === 'published' ? 'unpublish it first.' : whyNotPublic(current.status);
    throw conflict(`An article that is ${current.status} cannot be scheduled: ${why}`);
  }
  const resolved = resolveSchedulingTime(when, site.timezone);
  const problem =
    'problem' in resolved ? resolved.problem : resolved.time <= now ? 'must be in the future' : null;
  const fields = {
    ...missingForPublication(current),
    ...(problem === null ? {} : { scheduled_publish_at: problem }),
  };
  if ('problem' in resolved || Object.keys(fields).length > 0) throw validationFailed(fields);
  if (current.scheduled_publish_at?.getTime() === resolved.time.getTime()) return current;

  const standing = { status: 'scheduled', scheduled_publish_at: resolved.time } as const;
  const article = moveArticle(tx, current, standing, now);
  signal(tx, site.id, article.id, 'reschedule', now);
  return article;
}

/**
 * Takes a schedule back: the article is a draft again. On a draft a no-op.
 *
 * @throws ServiceError CONFLICT from any other status
 */
export async function cancelSchedule(
  tx: Transaction,
  siteId: string,
  current: Article,
  now: Date,
): Promise<Article> {
  if (current.status === 'draft') return current;
  if (current.status !== 'scheduled') {
    throw conflict(`Only a scheduled article has a schedule to cancel; this one is ${current.status}.`);
  }
  const article = moveArticle(tx, current, { status: 'draft', scheduled_publish_at: null }, now);
  cancelTimer(tx, siteId, article.id, now);
  return article;
}

/** Ends the process that waits to publish an article; the database alone already keeps it from publishing. */
export const cancelTimer = (tx: Transaction, siteId: string, articleId: string, now: Date): void =>
  signal(tx, siteId, articleId, 'cancel', now);

/** When an article is due, or null when it is not scheduled. */
export async function findScheduledTime(db: Queryable, articleId: string): Promise<Date | null> {
  const row = await db.maybeOne(sql.type(scheduledPublishAtRow)`
    select scheduled_publish_at from articles where id = ${articleId} and status = 'scheduled'`);
  return row?.scheduled_publish_at ?? null;
}

const late = z.object({ waiting: z.number(), oldest_seconds: z.number() });

/** How many articles should have been published by now, and for how long the first. Counted up to 10,000. */
export function overdueSchedules(db: Queryable, now: Date): Promise<z.infer<typeof late>> {
  return db.one(sql.type(late)`
    select count(*)::int as waiting,
      coalesce(extract(epoch from ${at(now)}::timestamptz - min(scheduled_publish_at)), 0)::float8 as oldest_seconds
    from (
      select scheduled_publish_at from articles
      where status = 'scheduled' and scheduled_publish_at <= ${at(now)}
      order by scheduled_publish_at limit 10000
    ) late
  `);
}

const overdue = z.object({ id: z.string(), site_id: z.string() });

/**
 * The net beneath outbox and timers: finds articles whose time has passed by `graceMs`, and has their
 * process started or woken again.
 *
 * @returns how many there were; above zero means that something was lost
 */
export async function rescueOverdueSchedules(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const rows = await tx.any(sql.type(overdue)`
    select a.id, a.site_id from articles a
    where a.status = 'scheduled' and a.scheduled_publish_at < ${at(new Date(now.getTime() - graceMs))}
    order by a.scheduled_publish_at limit 500
  `);
  for (const row of rows) signal(tx, row.site_id, row.id, 'reschedule', now);
  return rows.length;
}

function signal(
  tx: Transaction,
  siteId: string,
  articleId: string,
  name: 'reschedule' | 'cancel',
  now: Date,
): void {
  const payload = { articleId, siteId, signal: name };
  enqueue(tx, { kind: 'scheduled-publish', workflow_id: scheduledPublishId(articleId), payload }, now);
}
