import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { coalescedQuery } from '../../db/throughput/coalesced-query.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, timestamp } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import type { Site } from '../kernel/site.ts';
import { validationFailed } from '../kernel/errors.ts';
import { missingApprovals } from '../publication/required-reviews.ts';
import { requireEventQuota } from '../events/ceiling.ts';
import { resolveSchedulingTime } from '../articles/scheduling-time.ts';
import { rescue, signalWorkflow } from '../kernel/workflow-messages.ts';
import { changedEdit } from './pending-edit.ts';
import { updateEdit } from './row.ts';
import type { PendingEdit } from './row.ts';
import { cancelEditTimer } from '../publication/edit-timer.ts';

/**
 * Schedules the publication of a pending edit, or changes its time.
 *
 * @param when with an offset, or in wall time of the Site (docs/spec/rulings.md, 4)
 * @throws ServiceError VALIDATION_FAILED for a time that does not exist or has passed; RATE_LIMIT_EXCEEDED while the
 *   Site's events have reached their ceiling, which the worker does not check when it publishes; PREREQUISITE_MISSING
 *   without the approvals that the Site wants
 */
export async function scheduleEdit(
  change: Change & { readonly site: Pick<Site, 'timezone' | 'eventsFull' | 'requiredReviews'> },
  current: PendingEdit,
  when: string,
): Promise<PendingEdit> {
  const { tx, site, now } = change;
  const resolved = resolveSchedulingTime(when, site.timezone);
  if ('problem' in resolved) throw validationFailed({ scheduled_at: resolved.problem });
  if (resolved.time <= now) throw validationFailed({ scheduled_at: 'must be in the future' });
  if (current.scheduled_at?.getTime() === resolved.time.getTime()) return current;
  const unapproved = await missingApprovals(tx, site, current.article_id, 'pending_edit');
  if (unapproved !== null) throw unapproved;
  requireEventQuota(site);
  const next = moved(change, current, resolved.time, 'pending_edit.schedule');
  const payload = { articleId: current.article_id, siteId: site.id, signal: 'reschedule' } as const;
  signalWorkflow(tx, 'pending-edit', payload, now);
  tx.notify('presswork_schedules', String(resolved.time.getTime()));
  return next;
}

/** Cancels the schedule of a pending edit, which stays; does nothing if it has none. */
export function cancelEditSchedule(change: Change, current: PendingEdit): PendingEdit {
  const { tx, site, now } = change;
  if (current.scheduled_at === null) return current;
  const next = moved(change, current, null, 'pending_edit.cancel_schedule');
  cancelEditTimer(tx, site.id, current.article_id, now);
  return next;
}

function moved(
  change: Change,
  current: PendingEdit,
  time: Date | null,
  action: 'pending_edit.schedule' | 'pending_edit.cancel_schedule',
): PendingEdit {
  const next = changedEdit(current, { scheduled_at: time, unreviewed: false }, change.now);
  updateEdit(change.tx, current, next);
  const [before, after] = [current, next].map(({ scheduled_at: due }) => due?.toISOString() ?? null);
  const details = { scheduled_at: { before, after } };
  recordChange(change, action, { type: 'article', id: current.article_id }, details);
  return next;
}

const standing = z.object({ scheduled_at: timestamp.nullable(), conflict: z.array(z.string()) });

const standingById = coalescedQuery(
  standing,
  { id: 'uuid' },
  ({ id }) => sql.fragment`select scheduled_at, conflict from pending_edits where article_id = ${id}`,
);

/** The time of a scheduled edit; null if the article has none. */
export async function findEditSchedule(
  db: Database,
  articleId: string,
): Promise<z.infer<typeof standing> | null> {
  const [row = null] = await db.coalesced(standingById({ id: articleId }));
  return row;
}

const listed = z.object({ article_id: z.string(), title: z.string().nullable(), scheduled_at: timestamp });

/** The scheduled edits of a Site, the next one first, with the titles that they will have given. */
export const listScheduledEdits = (
  db: Queryable,
  siteId: string,
  limit: number,
): Promise<readonly z.infer<typeof listed>[]> =>
  db.any(sql.type(listed)`
    select e.article_id, case when e.changes ? 'title' then e.changes ->> 'title' else a.title end as title, e.scheduled_at
    from pending_edits e join articles a on a.id = e.article_id
    where e.site_id = ${siteId} and e.scheduled_at is not null order by e.scheduled_at, e.article_id limit ${limit}`);

const next = z.object({ due: timestamp.nullable() });

/** The earliest time for which an edit is scheduled, those set aside excepted; null if there is none. */
export async function nextEdit(db: Queryable, aside: readonly string[]): Promise<Date | null> {
  const row = await db.one(sql.type(next)`
    select min(scheduled_at) as due from pending_edits
    where scheduled_at is not null and article_id <> all(${array(aside, 'uuid')})`);
  return row.due;
}

const dueRow = z.object({
  article_id: z.string(),
  site_id: z.string(),
  schedule_traceparent: z.string().nullable(),
});
export type FoundEdit = z.infer<typeof dueRow>;

/** How many due edits a look considers: some of each Site are among them, unless one has as many. */
const DUE_EDITS = 10_000;

/**
 * Edits whose time has come by a moment: of each Site the one that is longest overdue, then the next of each.
 *
 * @param aside articles whose edits do not count
 * @returns with the traces in which they were scheduled
 */
export const findDueEdits = (
  db: Queryable,
  moment: Date,
  limit: number,
  aside: readonly string[],
): Promise<readonly FoundEdit[]> =>
  db.any(sql.type(dueRow)`
    select article_id, site_id, schedule_traceparent from (
      select article_id, site_id, schedule_traceparent, scheduled_at from pending_edits
      where scheduled_at <= ${at(moment)} and article_id <> all(${array(aside, 'uuid')})
      order by scheduled_at limit ${DUE_EDITS}
    ) due
    order by row_number() over (partition by site_id order by scheduled_at), scheduled_at limit ${limit}`);

/** Starts or signals the workflows of edits that are overdue by `graceMs`. */
export function rescueOverdueEdits(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const lost = sql.fragment`
    select article_id as id, site_id from pending_edits
    where scheduled_at < ${at(new Date(now.getTime() - graceMs))} order by scheduled_at`;
  return rescue(tx, 'pending-edit', 'reschedule', lost, now);
}
