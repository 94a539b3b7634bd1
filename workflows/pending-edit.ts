import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  log,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { PendingEditActivities } from '../activities/pending-edit.ts';
import { changeOrTime, LONGEST_SKEW_MS, SHORTEST_SKEW_MS } from './due-time.ts';
import { searchAttributes } from './names.ts';
import { withFallback } from './with-fallback.ts';

export interface PendingEditInput {
  readonly articleId: string;
  readonly siteId: string;
}

export interface PendingEditState {
  /**
   * `failing`: the due time cannot be read. `publishing`: the edit is due and publishing it fails. `conflict`: something
   * stood against it. `cancelled`: it has no schedule any more. `gone`: it was published by a request, or discarded.
   */
  readonly state:
    'starting' | 'waiting' | 'failing' | 'publishing' | 'published' | 'conflict' | 'cancelled' | 'gone';
  /** When the edit is due, ISO 8601; null until it is known. */
  readonly due: string | null;
}

// Both only say that the schedule changed; the database says how. Signals may therefore arrive late, twice or out of
// order.
export const rescheduleEdit = defineSignal('reschedule');
export const cancelEdit = defineSignal('cancel');
const state = defineQuery<PendingEditState>('state');

const { readPendingEdit, publishPendingEdit } = proxyLocalActivities<PendingEditActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '15 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '2 seconds', maximumAttempts: 6 },
});
/** Retried until done; each attempt reads the current schedule. */
const shown = proxyActivities<PendingEditActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
});

/**
 * Publishes the pending edit of an article at its time. One per article; ends when the edit is published, held back by a
 * conflict, or no longer scheduled.
 */
export async function pendingEdit(input: PendingEditInput): Promise<PendingEditState['state']> {
  let changed = false;
  let current: PendingEditState = { state: 'starting', due: null };
  const onChange = (): void => {
    changed = true;
  };
  setHandler(rescheduleEdit, onChange, {
    description: 'The edit was scheduled or rescheduled: read the time again.',
  });
  setHandler(cancelEdit, onChange, { description: 'The schedule was cancelled: read it again.' });
  setHandler(state, () => current, {
    description: 'What the workflow is doing, and when the edit is due.',
  });
  const enter = (next: PendingEditState, reason?: string): void => {
    current = next;
    const details = next.due === null ? next.state : `${next.state}, due ${next.due}`;
    setCurrentDetails(reason === undefined ? details : `${details}: ${reason}`);
    upsertSearchAttributes([{ key: searchAttributes.processState, value: next.state }]);
  };

  for (let skew = SHORTEST_SKEW_MS; ;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof pendingEdit>(input);
    changed = false;
    const read = await withFallback(
      () => readPendingEdit(input.articleId),
      () => shown.readPendingEdit(input.articleId),
      (reason) => enter({ state: 'failing', due: current.due }, reason),
    );
    if (changed) continue;
    if (read === null || read.due === null) {
      const end = read === null ? 'gone' : read.conflict.length > 0 ? 'conflict' : 'cancelled';
      enter({ state: end, due: null }, end === 'conflict' ? read?.conflict.join(', ') : undefined);
      return end;
    }
    const { due } = read;
    if (current.state !== 'waiting' || current.due !== due) enter({ state: 'waiting', due });
    if (await changeOrTime(() => changed, due)) continue;
    const published = await withFallback(
      () => publishPendingEdit(input.articleId, input.siteId),
      () => shown.publishPendingEdit(input.articleId, input.siteId),
      (reason) => enter({ state: 'publishing', due }, reason),
    );
    if (published) {
      enter({ state: 'published', due });
      return 'published';
    }
    log.info('the pending edit was not published', { due });
    await condition(() => changed, skew);
    skew = Math.min(LONGEST_SKEW_MS, skew * 2);
  }
}
