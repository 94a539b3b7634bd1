import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { keyMayGoOn } from '../access/standing.ts';
import { hasEnded, WORKERS_LOST } from '../paid-work/paid-work.ts';
import type { StopReason } from '../paid-work/paid-work.ts';
import { lockBalance } from '../usage/credits.ts';
import { chargeCredits, refundCredits } from '../billing/charge.ts';
import { recordFindings } from './record-findings.ts';
import type { Found } from './record-findings.ts';
import { findScanForUpdate, roomOf, unitsOf } from './scan.ts';
import type { Scan } from './scan.ts';
import type { Examination, Planned, Target } from './scan-kind.ts';
import { addTargets, markExamined, nextTargets } from './targets.ts';

/** A unit that is paid for, and its next targets. */
export interface OpenUnit {
  readonly number: number;
  readonly scan: Scan;
  readonly targets: readonly Target[];
}

export type Opening =
  | { readonly kind: 'open'; readonly unit: OpenUnit }
  /** Nothing is left to examine. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'stopped'; readonly reason: StopReason };

/** Whether the scan was cancelled, or began for a key that may not go on. */
export const hasToEnd = async (
  db: Queryable,
  { cancel_requested_at: cancelled, key_id: keyId }: Scan,
  now: Date,
): Promise<boolean> => cancelled !== null || !(await keyMayGoOn(db, keyId, 'pipeline.run', now));

/**
 * The boundary before a unit: charges it, unless the scan has to end (docs/spec/rulings.md, 19). A unit that is open is
 * not charged again; whoever opened it may have died.
 */
export async function openUnit(tx: Transaction, scanId: string, now: Date): Promise<Opening> {
  const scan = await findScanForUpdate(tx, scanId);
  if (scan === null || hasEnded(scan)) return { kind: 'stopped', reason: 'cancelled' };
  if (scan.open_unit_counted === null && (await hasToEnd(tx, scan, now)))
    return { kind: 'stopped', reason: 'cancelled' };
  const room = roomOf(scan);
  const targets = room > 0 ? await nextTargets(tx, scanId, room) : [];
  if (targets.length === 0) return { kind: 'finished' };
  if (scan.open_unit_counted !== null) {
    const lost = await noteAttempt(tx, scanId, now);
    if (lost >= WORKERS_LOST) return { kind: 'stopped', reason: 'provider_unavailable' };
    return { kind: 'open', unit: { number: scan.units_opened, scan, targets } };
  }
  const number = scan.units_opened + 1;
  const unit = { siteId: scan.site_id, scanId, scanUnit: number };
  const outcome = await chargeCredits(tx, { ...unit, cost: 1 }, now);
  if (outcome !== 'charged') return { kind: 'stopped', reason: outcome };
  await tx.exec(statement`
    update seo_scans set units_opened = ${number}, open_unit_counted = 0, attempts_open = 1,
      credits_spent = credits_spent + 1, active_at = ${at(now)}
    where id = ${scanId}`);
  return { kind: 'open', unit: { number, scan, targets } };
}

const attempts = z.object({ attempts_open: z.number() });

/** Records the start of another attempt at the open unit. @returns how many workers were lost during it before */
async function noteAttempt(tx: Transaction, scanId: string, now: Date): Promise<number> {
  const { attempts_open: open } = await tx.one(sql.type(attempts)`
    update seo_scans set attempts_open = attempts_open + 1, active_at = ${at(now)} where id = ${scanId}
    returning attempts_open`);
  return open - 1;
}

/** Records that an attempt has ended in order, without a result: its worker was not lost. */
export async function noteEnd(tx: Transaction, scanId: string): Promise<void> {
  await tx.exec(statement`
    update seo_scans set attempts_open = greatest(0, attempts_open - 1)
    where id = ${scanId} and open_unit_counted is not null`);
}

/**
 * Stores the results of targets of a unit, and closes the unit if it is full or nothing is left. Idempotent: a
 * late call of a failed attempt does nothing.
 */
export async function saveExamination(
  tx: Transaction,
  { number, scan: { id }, targets }: OpenUnit,
  examination: Examination,
  now: Date,
): Promise<void> {
  const scan = await findScanForUpdate(tx, id);
  if (scan === null || scan.open_unit_counted === null || scan.units_opened !== number) return;
  const postponed = new Set(examination.postponed);
  const looked = targets.filter(({ key }) => !postponed.has(key));
  // Another attempt may have looked at some of them.
  const examined = await markExamined(tx, id, looked, examination.memos ?? new Map());
  if (examined.length === 0) return;
  const added = await addTargets(tx, id, examination.newTargets ?? []);
  const found = await recordFindings(tx, scan, examination, now);
  const uncounted = new Set(examination.uncounted);
  const counted = examined.filter(({ key }) => !uncounted.has(key)).length;
  const after: Scan = {
    ...scan,
    targets_left: scan.targets_left - examined.length + added,
    counted: scan.counted + counted,
    open_unit_counted: scan.open_unit_counted + counted,
  };
  const isClosed = after.targets_left <= 0 || roomOf(after) <= 0;
  await tx.exec(statement`
    update seo_scans set targets_left = ${after.targets_left}, counted = ${after.counted},
      open_unit_counted = ${after.open_unit_counted}, attempts_open = 0, active_at = ${at(now)}, ${adding(found)}
    where id = ${id}`);
  await (isClosed ? closeUnit(tx, after, now) : setTotal(tx, after));
}

const adding = ({ error, warning, notice }: Found) => sql.fragment`
  found_error = found_error + ${error}, found_warning = found_warning + ${warning},
  found_notice = found_notice + ${notice}`;

/** Ends the open unit. One in which nothing was counted, such as only files, is refunded: it was none. */
export async function closeUnit(tx: Transaction, scan: Scan, now: Date): Promise<void> {
  if (scan.open_unit_counted === null) return;
  const isUnit = scan.open_unit_counted > 0;
  if (!isUnit) await refundUnit(tx, scan, now);
  await tx.exec(statement`
    update seo_scans set open_unit_counted = null, attempts_open = 0, units_done = units_done + ${isUnit ? 1 : 0}
    where id = ${scan.id}`);
  await setTotal(tx, {
    ...scan,
    open_unit_counted: null,
    units_done: scan.units_done + (isUnit ? 1 : 0),
  });
}

async function refundUnit(tx: Transaction, { id, site_id: siteId, units_opened }: Scan, now: Date) {
  await lockBalance(tx, siteId);
  const given = await refundCredits(tx, { siteId, scanId: id, scanUnit: units_opened }, now);
  await tx.exec(statement`
    update seo_scans set credits_spent = credits_spent - ${given}::bigint where id = ${id}`);
}

/** How many units the scan has altogether; a crawl knows it at its end. */
async function setTotal(tx: Transaction, scan: Scan): Promise<void> {
  if (scan.kind === 'site-crawl' || !scan.planned) return;
  const open = scan.open_unit_counted === null ? 0 : 1;
  const later = Math.max(0, scan.targets_left - (open === 0 ? 0 : roomOf(scan)));
  const total = scan.units_done + open + unitsOf(scan.kind, later);
  await tx.exec(statement`update seo_scans set units_total = ${total} where id = ${scan.id}`);
}

/** Writes down a part of the targets of a scan, unless another attempt has. @returns whether that was all */
export async function savePlan(
  tx: Transaction,
  scanId: string,
  position: string | null,
  { targets, next }: Planned,
  now: Date,
): Promise<boolean> {
  const scan = await findScanForUpdate(tx, scanId);
  if (scan === null || hasEnded(scan) || scan.planned) return true;
  if (scan.plan_position !== position) return false;
  const left = scan.targets_left + (await addTargets(tx, scanId, targets));
  const planned = next === null;
  await tx.exec(statement`
    update seo_scans set plan_position = ${next}, planned = ${planned}, targets_left = ${left}, active_at = ${at(now)}
    where id = ${scanId}`);
  await setTotal(tx, { ...scan, planned, targets_left: left });
  return planned;
}

/** Stores the conclusions of the kind from everything it looked at. Idempotent. */
export async function saveConclusion(
  tx: Transaction,
  scanId: string,
  examination: Examination,
  now: Date,
): Promise<void> {
  const scan = await findScanForUpdate(tx, scanId);
  if (scan === null || hasEnded(scan)) return;
  const found = await recordFindings(tx, scan, examination, now);
  await tx.exec(statement`
    update seo_scans set active_at = ${at(now)}, ${adding(found)} where id = ${scanId}`);
}
