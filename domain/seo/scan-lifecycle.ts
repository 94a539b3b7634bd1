import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { Change } from '../audit/change.ts';
import { recordEvent } from '../events/events.ts';
import { askToEnd, hasEnded, outcomeOf, SILENCE_MS } from '../paid-work/paid-work.ts';
import type { StopReason } from '../paid-work/paid-work.ts';
import { tellStarter } from '../notifications/notify.ts';
import { rescue, signalWorkflow } from '../kernel/workflow-messages.ts';
import { presentScan } from './present-scan.ts';
import { fixFaultsOfDeleted } from './record-findings.ts';
import { findScanForUpdate, getScan, getScanForUpdate } from './scan.ts';
import type { Scan } from './scan.ts';
import { closeUnit } from './scan-unit.ts';
import { deleteOldTargets } from './targets.ts';

/** Marks a scan as running. @returns the scan; null if it has ended */
export async function beginScan(tx: Transaction, scanId: string, now: Date): Promise<Scan | null> {
  const scan = await findScanForUpdate(tx, scanId);
  if (scan === null || hasEnded(scan)) return null;
  await tx.exec(statement`
    update seo_scans set status = 'running', started_at = coalesce(started_at, ${at(now)}), active_at = ${at(now)}
    where id = ${scanId}`);
  return scan;
}

/**
 * Asks a scan to end at its next boundary; one that has not started ends immediately.
 *
 * @throws ServiceError NOT_FOUND, CONFLICT for a scan that has ended
 */
export async function cancelScan(change: Change, scanId: string): Promise<Scan> {
  const { tx, site, now } = change;
  const scan = await getScanForUpdate(tx, site.id, scanId);
  await askToEnd(change, scan, {
    noun: 'scan',
    table: sql.fragment`seo_scans`,
    action: 'seo_scan.cancel',
    type: 'seo_scan',
  });
  signalWorkflow(tx, 'seo-scan', { scanId, siteId: site.id, signal: 'cancel' }, now);
  if (scan.status === 'queued') await endScan(tx, scanId, 'cancelled', now);
  return getScan(tx, site.id, scanId);
}

/**
 * Ends a scan, and records its event. Does nothing if it has ended.
 *
 * @param stopped null if everything was looked at
 * @returns the scan; null if it was deleted, with its Site
 */
export async function endScan(
  tx: Transaction,
  scanId: string,
  stopped: StopReason | null,
  now: Date,
): Promise<Scan | null> {
  const before = await findScanForUpdate(tx, scanId);
  if (before === null || hasEnded(before)) return before;
  const { site_id: siteId } = before;
  // A unit is only open here if its examination failed for good, or the workflow was ended in Temporal.
  await closeUnit(tx, before, now);
  const [status, reason] = outcomeOf(stopped);
  await tx.exec(statement`
    update seo_scans set status = ${status}, reason = ${reason},
      finished_at = greatest(${at(now)}::timestamptz, created_at),
      units_total = case when ${status} = 'completed' then units_done else units_total end
    where id = ${scanId}`);
  if (stopped === null) await fixFaultsOfDeleted(tx, siteId, now);
  const scan = await getScan(tx, siteId, scanId);
  recordEvent(tx, siteId, 'seo_scan.finished', presentScan(scan), now);
  tellStarter(tx, 'seo_scan', siteId, scan, now);
  return scan;
}

/** Starts scans again that never started, or that are running without progress. */
export function rescueScans(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const lost = sql.fragment`
    select id, site_id from seo_scans
    where finished_at is null
      and active_at < case status
        when 'queued' then ${at(new Date(now.getTime() - graceMs))}::timestamptz
        else ${at(new Date(now.getTime() - SILENCE_MS))}::timestamptz
      end
    order by active_at`;
  return rescue(tx, 'seo-scan', 'start', lost, now);
}

const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Deletes a batch of the targets of scans that ended 30 days ago. @returns how many */
export const forgetTargets = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteOldTargets(tx, new Date(now.getTime() - RETENTION_MS), size);
