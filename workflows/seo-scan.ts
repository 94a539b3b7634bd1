import {
  ActivityFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ScanProgress, ScanStep, SeoScanActivities } from '../activities/seo-scan.ts';
import { SCAN_TASK_QUEUE, searchAttributes } from './names.ts';

export interface SeoScanInput {
  readonly scanId: string;
  readonly siteId: string;
}

export interface SeoScanProgress extends ScanProgress {
  readonly state: string;
}

// The API also records a cancellation in the database, which each unit reads; Temporal's UI and command line do not.
export const cancelScan = defineSignal('cancel');
const progress = defineQuery<SeoScanProgress>('progress');

/** These only write to the database, which may be unavailable for four hours. */
const { beginSeoScan, endSeoScan } = proxyActivities<SeoScanActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', maximumAttempts: 500 },
});

/** The activity decides how often a step is tried; the heartbeat detects a dead worker. */
const { scanFurther } = proxyActivities<SeoScanActivities>({
  taskQueue: SCAN_TASK_QUEUE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '1 minute', maximumAttempts: 100 },
});

/** Wait before retrying a step whose Site is at its limit of concurrent steps; doubled each time. */
const SHARE_WAIT_S = 2;
const LONGEST_SHARE_WAIT_S = 30;

type Stop = Extract<ScanStep, { kind: 'stopped' }>['reason'];

/**
 * Does a scan step by step, and ends at the first unit that cannot be paid for (docs/spec/rulings.md, 19, The seven
 * scans).
 */
export async function seoScan(input: SeoScanInput): Promise<string> {
  const { scanId, siteId } = input;
  let state = 'running';
  let known: ScanProgress = { unitsDone: 0, unitsTotal: null, found: 0 };
  let asked: Stop | null = null;

  const show = (): void =>
    setCurrentDetails(
      `${state}: ${known.unitsDone} of ${known.unitsTotal ?? 'an unknown number of'} units done, ${known.found} faults found`,
    );
  const enter = (next: string): void => {
    state = next;
    upsertSearchAttributes([{ key: searchAttributes.processState, value: next }]);
    show();
  };
  const cancel = (): void => {
    asked = 'cancelled';
    enter('cancelling');
  };
  setHandler(cancelScan, cancel, { description: 'End the scan at its next unit boundary.' });
  setHandler(progress, () => ({ state, ...known }), { description: 'The progress of the scan.' });
  enter('running');

  /** @returns why it stopped; null if everything was looked at */
  const look = async (): Promise<Stop | null> => {
    let pause = SHARE_WAIT_S;
    for (;;) {
      if (asked !== null) return asked;
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof seoScan>(input);
      const step = await stepOrFail(siteId, scanId);
      if (step.kind === 'completed') return null;
      if (step.kind === 'stopped') return step.reason;
      if (step.kind === 'waits') {
        await condition(() => asked !== null, `${pause} seconds`);
        pause = Math.min(pause * 2, LONGEST_SHARE_WAIT_S);
        continue;
      }
      pause = SHARE_WAIT_S;
      const { unitsDone, unitsTotal, found } = step;
      known = { unitsDone, unitsTotal, found };
      show();
    }
  };

  let stopped: Stop | null;
  try {
    const begun = await beginOrGiveUp(scanId);
    if (begun === false) return 'ended before';
    stopped = begun === 'given up' ? 'provider_unavailable' : await look();
  } catch (error) {
    if (!isCancellation(error)) throw error;
    // Cancelling the workflow through Temporal cancels the scan.
    stopped = 'cancelled';
  }
  const status = await CancellationScope.nonCancellable(() => endSeoScan(scanId, stopped));
  enter(status);
  return status;
}

async function beginOrGiveUp(scanId: string): Promise<boolean | 'given up'> {
  try {
    return await beginSeoScan(scanId);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return 'given up';
  }
}

/** Does one step. If it fails for good, the scan ends: its next units would fail the same way. */
async function stepOrFail(siteId: string, scanId: string): Promise<ScanStep> {
  try {
    return await scanFurther(siteId, scanId);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return { kind: 'stopped', reason: 'provider_unavailable' };
  }
}
