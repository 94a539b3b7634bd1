import {
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
import { LONGEST_SHARE_WAIT_S, orElse, SHARE_WAIT_S, stepping, storing } from './paid-work.ts';

export interface SeoScanProgress extends ScanProgress {
  readonly state: string;
}

// The API also records a cancellation in the database, which each unit reads; Temporal's UI and command line do not.
export const cancelScan = defineSignal('cancel');
const progress = defineQuery<SeoScanProgress>('progress');

const { beginSeoScan, endSeoScan } = proxyActivities<SeoScanActivities>(storing);
const { scanFurther } = proxyActivities<SeoScanActivities>({ taskQueue: SCAN_TASK_QUEUE, ...stepping });

type Stop = Extract<ScanStep, { kind: 'stopped' }>['reason'];

/**
 * Does a scan step by step, and ends at the first unit that cannot be paid for (docs/spec/rulings.md, 19, The seven
 * scans).
 */
export async function seoScan(input: { readonly scanId: string; readonly siteId: string }): Promise<string> {
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
    const begun = await orElse(beginSeoScan(scanId), () => 'given up');
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

/** Does one step. If it fails for good, the scan ends: its next units would fail the same way. */
const stepOrFail = (siteId: string, scanId: string): Promise<ScanStep> =>
  orElse(scanFurther(siteId, scanId), () => ({ kind: 'stopped', reason: 'provider_unavailable' }) as const);
