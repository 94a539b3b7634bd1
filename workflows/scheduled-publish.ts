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
import type { ScheduledPublishActivities } from '../activities/scheduled-publish.ts';
import { changeOrTime, LONGEST_SKEW_MS, SHORTEST_SKEW_MS } from './due-time.ts';
import { searchAttributes } from './names.ts';
import { withFallback } from './with-fallback.ts';

export interface ScheduledPublishInput {
  readonly articleId: string;
  readonly siteId: string;
}

export interface ScheduledPublishState {
  /** `failing`: the due time cannot be read. `publishing`: the article is due and publishing it fails. */
  readonly state: 'starting' | 'waiting' | 'failing' | 'publishing' | 'published' | 'cancelled';
  /** When the article is due, ISO 8601; null until it is known. */
  readonly due: string | null;
}

// Both only say that the schedule changed; the database says how. Signals may therefore arrive late, twice or out of
// order. They are signals and not updates because no caller waits for an answer.
export const reschedule = defineSignal('reschedule');
export const cancel = defineSignal('cancel');
const state = defineQuery<ScheduledPublishState>('state');

const { readScheduledTime, publishDueArticle } = proxyLocalActivities<ScheduledPublishActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '15 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '2 seconds', maximumAttempts: 6 },
});
/** Retried until done; each attempt reads the current schedule. */
const shown = proxyActivities<ScheduledPublishActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
});

/** Publishes an article at its scheduled time. One per article; ends when it is published or no longer scheduled. */
export async function scheduledPublish(
  input: ScheduledPublishInput,
): Promise<ScheduledPublishState['state']> {
  let changed = false;
  let current: ScheduledPublishState = { state: 'starting', due: null };
  const onChange = (): void => {
    changed = true;
  };
  setHandler(reschedule, onChange, {
    description: 'The article was scheduled or rescheduled: read the time again.',
  });
  setHandler(cancel, onChange, { description: 'The schedule was cancelled: read it again.' });
  setHandler(state, () => current, {
    description: 'What the workflow is doing, and when the article is due.',
  });
  const enter = (next: ScheduledPublishState, reason?: string): void => {
    current = next;
    const details = next.due === null ? next.state : `${next.state}, due ${next.due}`;
    setCurrentDetails(reason === undefined ? details : `${details}: ${reason}`);
    upsertSearchAttributes([{ key: searchAttributes.processState, value: next.state }]);
  };

  for (let skew = SHORTEST_SKEW_MS; ;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof scheduledPublish>(input);
    changed = false;
    const due = await withFallback(
      () => readScheduledTime(input.articleId),
      () => shown.readScheduledTime(input.articleId),
      (reason) => enter({ state: 'failing', due: current.due }, reason),
    );
    if (changed) continue;
    if (due === null || due === 'published') {
      const end = due ?? 'cancelled';
      enter({ state: end, due: null });
      return end;
    }
    if (current.state !== 'waiting' || current.due !== due) enter({ state: 'waiting', due });
    if (await changeOrTime(() => changed, due)) continue;
    const published = await withFallback(
      () => publishDueArticle(input.articleId),
      () => shown.publishDueArticle(input.articleId),
      (reason) => enter({ state: 'publishing', due }, reason),
    );
    if (published) {
      enter({ state: 'published', due });
      return 'published';
    }
    log.info('the database did not find the article due', { due });
    await condition(() => changed, skew);
    skew = Math.min(LONGEST_SKEW_MS, skew * 2);
  }
}
