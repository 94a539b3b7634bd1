import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { Caller } from '../access/authenticate.ts';
import { requireOwn } from '../access/drafts-only.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { mayBeWanted, offerEvent } from '../events/events.ts';
import { conflict } from '../kernel/errors.ts';
import type { Site, Subscriptions } from '../kernel/site.ts';
import { rescue, signalWorkflow } from '../kernel/workflow-messages.ts';
import { getBulkJob, hasEnded, lockBulkJob } from './job.ts';
import type { BulkJob } from './job.ts';
import { presentBulkJob } from './present.ts';

/** Jobs of a Site that run at the same time. The others are queued, in the order in which they came. */
export const RUNNING_AT_ONCE = 2;

const nextRow = z.object({ id: z.string() });

/** Ends a job whose items have their results, and wakes those of its Site whose turn it is then. */
export async function endBulkJob(
  tx: Transaction,
  site: Pick<Site, 'id'> & Subscriptions,
  id: string,
  status: 'completed' | 'cancelled',
  now: Date,
): Promise<void> {
  const { id: siteId } = site;
  const [, next] = await Promise.all([
    tx.exec(statement`
      update bulk_jobs set status = ${status}, finished_at = greatest(${at(now)}::timestamptz, created_at)
      where id = ${id}`),
    tx.any(sql.type(nextRow)`
      select id from (
        select id, status from bulk_jobs where site_id = ${siteId} and finished_at is null
        order by created_at, id limit ${RUNNING_AT_ONCE}
      ) unfinished where status = 'queued'`),
  ]);
  for (const { id: jobId } of next) signalWorkflow(tx, 'bulk', { jobId, siteId, signal: 'wake' }, now);
  if (!mayBeWanted(site, 'bulk_job.finished')) return;
  const job = presentBulkJob(await getBulkJob(tx, siteId, id));
  offerEvent({ tx, site, now }, 'bulk_job.finished', () => job);
}

/**
 * Cancels a job: items that have not begun stay as they are.
 *
 * @throws ServiceError NOT_FOUND; CONFLICT for a job that has ended; INSUFFICIENT_SCOPE as {@link requireOwn} does
 */
export async function cancelBulkJob(change: Change, id: string, caller: Caller): Promise<BulkJob> {
  const { tx, site, now } = change;
  const [, job] = await Promise.all([lockBulkJob(tx, site.id, id), getBulkJob(tx, site.id, id)]);
  requireOwn(caller, job.key_id, 'bulk jobs');
  if (hasEnded(job)) throw conflict(`The bulk job has ended: it is ${job.status}.`);
  await endBulkJob(tx, site, id, 'cancelled', now);
  recordChange(change, 'bulk_job.cancel', { type: 'bulk_job', id }, { status: job.status });
  signalWorkflow(tx, 'bulk', { jobId: id, siteId: site.id, signal: 'wake' }, now);
  return getBulkJob(tx, site.id, id);
}

/** Starts or wakes the workflows of jobs on which no worker has worked for `graceMs`. */
export function rescueBulkJobs(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const lost = sql.fragment`
    select id, site_id from bulk_jobs where finished_at is null and active_at < ${at(new Date(now.getTime() - graceMs))}
    order by active_at`;
  return rescue(tx, 'bulk', 'wake', lost, now);
}

const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Deletes a batch of jobs that ended 30 days ago, with their items. @returns how many */
export const deleteOldBulkJobs = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, {
    table: 'bulk_jobs',
    by: 'finished_at',
    until: new Date(now.getTime() - RETENTION_MS),
    where: sql.fragment`finished_at is not null`,
    size,
  });
