import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { BulkActivities, BulkProgress } from '../activities/bulk.ts';
import { searchAttributes } from './names.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';

/**
 * `queued`: other jobs of the Site come first. `failing`: items cannot be applied at the moment. `gone`: the job was
 * deleted, with its Site.
 */
export type BulkWorkflowState = 'starting' | 'failing' | BulkProgress['state'];

/** Says that something changed for the job: its turn, or a cancellation. The database says what. */
export const wake = defineSignal('wake');
const state = defineQuery<BulkWorkflowState>('state');

const { applyBulkItems } = proxyActivities<BulkActivities>({
  startToCloseTimeout: '1 minute',
  // After that, another worker continues the work of a dead one.
  heartbeatTimeout: '6 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', maximumAttempts: 10 },
});

/** How often a queued job looks whether it is its turn, should nothing wake it. */
const LOOK_AGAIN = '20 seconds';

/** Applies the items of a bulk job, in batches, until all have been applied or the job is cancelled. */
export async function bulk(input: {
  readonly jobId: string;
  readonly siteId: string;
}): Promise<BulkProgress['state']> {
  const { jobId, siteId } = input;
  let woken = false;
  let current: BulkWorkflowState = 'starting';
  setHandler(wake, () => void (woken = true), {
    description: 'It may be the turn of the job, or it was cancelled: look at it.',
  });
  setHandler(state, () => current, { description: 'What the workflow is doing.' });
  const show = (next: BulkWorkflowState, details: string): void => {
    setCurrentDetails(`${next}: ${details}`);
    if (next !== current) upsertSearchAttributes([{ key: searchAttributes.processState, value: next }]);
    current = next;
  };

  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof bulk>(input);
    woken = false;
    const progress = await untilItSucceeds(
      () => applyBulkItems(jobId, siteId),
      (reason) => show('failing', `retried every 5 min: ${reason}`),
    );
    const { waiting, done, failed } = progress;
    show(progress.state, `${waiting} items wait, ${done} are done, ${failed} failed`);
    if (progress.state === 'queued') await condition(() => woken, LOOK_AGAIN);
    else if (progress.state !== 'running') return progress.state;
  }
}
