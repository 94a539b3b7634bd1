import { Context } from '@temporalio/activity';
import { isAway } from '../db/failures.ts';
import type { StopReason } from '../domain/paid-work/paid-work.ts';
import { findScan } from '../domain/seo/scan.ts';
import type { Scan } from '../domain/seo/scan.ts';
import type { ScanKind, ScanWork } from '../domain/seo/scan-kind.ts';
import { beginScan, endScan } from '../domain/seo/scan-lifecycle.ts';
import {
  hasToEnd,
  noteEnd,
  openUnit,
  saveConclusion,
  saveExamination,
  savePlan,
} from '../domain/seo/scan-unit.ts';
import { readTargets } from '../domain/seo/targets.ts';
import { JobUnfinished } from '../adapters/jobs/helper-process.ts';
import { TooBusy } from '../adapters/pages/visit.ts';
import { NoPermit } from '../runtime/fair-semaphore.ts';
import { createPlaces, doStep, noted, ourFailure, OUR_TRIES } from './paid-steps.ts';
import { findTenant } from '../domain/organisations/share.ts';
import type { Ports } from './ports.ts';

/** How far a scan has come. */
export interface ScanProgress {
  readonly unitsDone: number;
  readonly unitsTotal: number | null;
  readonly found: number;
}

/** The outcome of one step of a scan. */
export type ScanStep =
  | ({ readonly kind: 'more' } & ScanProgress)
  /** Everything was looked at. */
  | { readonly kind: 'completed' }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  /** The organisation is at its limit of concurrent steps, or a host or helper has no turn left: try again later. */
  | { readonly kind: 'waits' };

/** Concurrent steps of a worker. */
export const STEPS_AT_ONCE = 24;
/** Concurrent steps of one organisation on a worker, and how many of its steps may wait for a place. */
const STEPS_OF_ONE = 4;
const WAITING_OF_ONE = 2;

/** The side effects of a scan. Each is safe to run twice: the database decides about the rest. */
export const createSeoScanActivities = ({
  db,
  clock,
  log,
  kinds,
}: Pick<Ports, 'db' | 'clock' | 'log' | 'kinds'>) => {
  const places = createPlaces(STEPS_AT_ONCE, STEPS_OF_ONE, WAITING_OF_ONE);
  // TypeScript cannot see that ScanKind<K> is a ScanKind.
  const kindOf = ({ kind }: Scan): ScanKind => kinds[kind] as unknown as ScanKind;
  return {
    /** @returns whether the scan has something to do; not if it has ended */
    async beginSeoScan(scanId: string): Promise<boolean> {
      return (await db.transaction((tx) => beginScan(tx, scanId, clock.now()))) !== null;
    },

    /** Does the next step of a scan: plans a part, or examines the next targets, or concludes. */
    async scanFurther(siteId: string, scanId: string): Promise<ScanStep> {
      const signal = Context.current().cancellationSignal;
      const ids = { site_id: siteId, scan_id: scanId };
      const end = (): Promise<unknown> => noted(log, ids, () => db.transaction((tx) => noteEnd(tx, scanId)));
      return doStep<ScanStep>(places, {
        tenant: () => findTenant(db, siteId),
        work: () => step(siteId, scanId, signal),
        noteEnd: end,
        async failed(error, begun, attempt) {
          if (begun) await end();
          if (!begun || isBusy(error)) return { kind: 'waits' };
          log.warn({ err: error, ...ids }, 'a step of a scan failed');
          throw ourFailure('StepError', attempt >= (isAway(error) ? OUR_TRIES : TRIES));
        },
      });
    },

    /**
     * @param stopped null if everything was looked at
     * @returns the scan's status, or `gone` if it was deleted
     */
    async endSeoScan(scanId: string, stopped: StopReason | null): Promise<string> {
      const scan = await db.transaction((tx) => endScan(tx, scanId, stopped, clock.now()));
      return scan?.status ?? 'gone';
    },
  };

  async function step(siteId: string, scanId: string, signal: AbortSignal): Promise<ScanStep> {
    const scan = await findScan(db, siteId, scanId);
    if (scan === null) return gone;
    const work = { scanId, siteId, parameters: scan.parameters, signal };
    if (!scan.planned) return plan(scan, work);
    const opening = await db.transaction((tx) => openUnit(tx, scanId, clock.now()));
    if (opening.kind === 'finished') return conclude(scan, work);
    if (opening.kind === 'stopped') return opening;
    const { unit } = opening;
    const examination = await kindOf(scan).examine(work, unit.targets);
    await db.transaction((tx) => saveExamination(tx, unit, examination, clock.now()));
    return progress(siteId, scanId);
  }

  async function plan(scan: Scan, work: ScanWork): Promise<ScanStep> {
    if (await hasToEnd(db, scan, clock.now())) return { kind: 'stopped', reason: 'cancelled' };
    const planned = await kindOf(scan).plan(work, scan.plan_position);
    await db.transaction((tx) => savePlan(tx, scan.id, scan.plan_position, planned, clock.now()));
    return progress(scan.site_id, scan.id);
  }

  async function conclude(scan: Scan, work: ScanWork): Promise<ScanStep> {
    const { id } = scan;
    const examination = await kindOf(scan).conclude?.(work, readTargets(db, id));
    if (examination !== undefined)
      await db.transaction((tx) => saveConclusion(tx, id, examination, clock.now()));
    return { kind: 'completed' };
  }

  async function progress(siteId: string, scanId: string): Promise<ScanStep> {
    const scan = await findScan(db, siteId, scanId);
    if (scan === null) return gone;
    const { units_done: unitsDone, units_total: unitsTotal } = scan;
    const found = scan.found_error + scan.found_warning + scan.found_notice;
    return { kind: 'more', unitsDone, unitsTotal, found };
  }
};

/** The machine, or a host, is too busy: nothing went wrong. */
const isBusy = (error: unknown): boolean =>
  error instanceof TooBusy || error instanceof NoPermit || error instanceof JobUnfinished;

export type SeoScanActivities = ReturnType<typeof createSeoScanActivities>;

/** It was deleted, with its Site. */
const gone: ScanStep = { kind: 'stopped', reason: 'cancelled' };

/** Attempts at a step that fails. */
const TRIES = 5;
