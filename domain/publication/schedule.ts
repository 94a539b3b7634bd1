import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Effects } from '../../db/effects.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { coalescedQuery } from '../../db/throughput/coalesced-query.ts';
import { array, at, sql, timestamp } from '../../db/sql.ts';
import type { Change, PublicChange } from '../audit/change.ts';
import { conflict, validationFailed } from '../kernel/errors.ts';
import type { ServiceError } from '../kernel/errors.ts';
import { requireEventQuota } from '../events/ceiling.ts';
import { offerEvent } from '../events/events.ts';
import { presentArticle } from '../articles/present.ts';
import { resolveSchedulingTime } from '../articles/scheduling-time.ts';
import { rescue, signalWorkflow } from '../kernel/workflow-messages.ts';
import { moveStatus } from '../articles/article.ts';
import { articleStatuses } from '../articles/row.ts';
import type { Article } from '../articles/row.ts';
import { auditArticle } from './audit.ts';
import { missingForPublication } from '../../packages/base/content.ts';
import { canBecomePublic, whyNotPublic } from './publication-rules.ts';

const scheduleRow = z.object({
  status: z.enum(articleStatuses),
  scheduled_publish_at: timestamp.nullable(),
});

/**
 * Schedules an article, or changes the time of a scheduled one (docs/spec/rulings.md, 4).
 *
 * @param timezone of the Site
 * @param when with an offset, or in wall time of the Site
 * @param unapproved by `missingApprovals`
 * @throws ServiceError CONFLICT from a status that cannot become public; VALIDATION_FAILED for missing members, and for
 *   a time that does not exist or has passed; RATE_LIMIT_EXCEEDED while the Site's events have reached their ceiling,
 *   which the worker does not check when it publishes
 */
export function scheduleArticle(
  change: PublicChange,
  timezone: string,
  current: Article,
  when: string,
  unapproved: ServiceError | null,
): Article {
  const { tx, site, now } = change;
  if (!canBecomePublic(current.status)) {
    const why = current.status === 'published' ? 'unpublish it first.' : whyNotPublic(current.status);
    throw conflict(`An article that is ${current.status} cannot be scheduled: ${why}`);
  }
  const resolved = resolveSchedulingTime(when, timezone);
  const problem =
    'problem' in resolved ? resolved.problem : resolved.time <= now ? 'must be in the future' : null;
  const fields = {
    ...missingForPublication(current),
    ...(problem === null ? {} : { scheduled_publish_at: problem }),
  };
  if ('problem' in resolved || Object.keys(fields).length > 0) throw validationFailed(fields);
  if (current.scheduled_publish_at?.getTime() === resolved.time.getTime()) return current;
  if (unapproved !== null) throw unapproved;
  requireEventQuota(site);

  const standing = { status: 'scheduled', scheduled_publish_at: resolved.time } as const;
  const article = moveStatus(tx, current, standing, now);
  const payload = { articleId: article.id, siteId: site.id, signal: 'reschedule' } as const;
  signalWorkflow(tx, 'scheduled-publish', payload, now);
  tx.notify('presswork_schedules', String(resolved.time.getTime()));
  auditArticle(change, 'article.schedule', current, article);
  offerEvent({ ...change, now: article.updated_at }, 'article.scheduled', () => presentArticle(article));
  return article;
}

/**
 * Cancels a schedule and makes the article a draft; does nothing if it is a draft.
 *
 * @throws ServiceError CONFLICT from any other status
 */
export function cancelSchedule(change: Change<Effects>, current: Article): Article {
  const { tx, site, now } = change;
  if (current.status === 'draft') return current;
  if (current.status !== 'scheduled') {
    throw conflict(`Only a scheduled article has a schedule to cancel; this one is ${current.status}.`);
  }
  const article = moveStatus(tx, current, { status: 'draft', scheduled_publish_at: null }, now);
  cancelTimer(tx, site.id, article.id, now);
  auditArticle(change, 'article.cancel_schedule', current, article);
  offerEvent({ ...change, now: article.updated_at }, 'article.schedule_cancelled', () =>
    presentArticle(article),
  );
  return article;
}

/** Ends the workflow that waits to publish an article. The database alone already prevents the publication. */
export const cancelTimer = (tx: Effects, siteId: string, articleId: string, now: Date): void =>
  signalWorkflow(tx, 'scheduled-publish', { articleId, siteId, signal: 'cancel' }, now);

const scheduleById = coalescedQuery(
  scheduleRow,
  { id: 'uuid' },
  ({ id }) => sql.fragment`select status, scheduled_publish_at from articles where id = ${id}`,
);

/** The time of a scheduled article; null if the article does not exist. */
export async function findSchedule(
  db: Database,
  articleId: string,
): Promise<z.infer<typeof scheduleRow> | null> {
  const [row = null] = await db.coalesced(scheduleById({ id: articleId }));
  return row;
}

const next = z.object({ due: timestamp.nullable() });

/** The earliest time for which an article is scheduled, those set aside excepted; null if there is none. */
export async function nextSchedule(db: Queryable, aside: readonly string[]): Promise<Date | null> {
  const row = await db.one(sql.type(next)`
    select min(scheduled_publish_at) as due from articles
    where status = 'scheduled' and id <> all(${array(aside, 'uuid')})`);
  return row.due;
}

const late = z.object({ waiting: z.number(), oldest_seconds: z.number() });

/** How many articles and pending edits are overdue, and for how long the first. Counts up to 10,000 of each. */
export function overdueSchedules(db: Queryable, now: Date): Promise<z.infer<typeof late>> {
  return db.one(sql.type(late)`
    select count(*)::int as waiting,
      coalesce(extract(epoch from ${at(now)}::timestamptz - min(due)), 0)::float8 as oldest_seconds
    from (
      (select scheduled_publish_at as due from articles
      where status = 'scheduled' and scheduled_publish_at <= ${at(now)}
      order by scheduled_publish_at limit 10000)
      union all
      (select scheduled_at from pending_edits where scheduled_at <= ${at(now)} order by scheduled_at limit 10000)
    ) late
  `);
}

/** Starts or signals the workflows of articles that are overdue by `graceMs`. */
export function rescueOverdueSchedules(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const lost = sql.fragment`
    select id, site_id from articles where status = 'scheduled' and scheduled_publish_at < ${at(new Date(now.getTime() - graceMs))}
    order by scheduled_publish_at`;
  return rescue(tx, 'scheduled-publish', 'reschedule', lost, now);
}
