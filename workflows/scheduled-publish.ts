import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  log,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { PublishingActivities } from '../activities/publishing.ts';
import { searchAttributes } from '../temporal/names.ts';

export interface ScheduledPublishInput {
  readonly articleId: string;
  readonly siteId: string;
}

export interface ScheduledPublishState {
  readonly state: 'starting' | 'waiting' | 'publishing' | 'published' | 'cancelled';
  /** When the article is due, ISO 8601; null while that is not known. */
  readonly due: string | null;
}

// Both say only that the schedule changed: what it is now stands in the database, so that signals may come
// late, twice or in another order. They are signals and not updates, since nobody waits for an answer.
export const reschedule = defineSignal('reschedule');
export const cancel = defineSignal('cancel');
const state = defineQuery<ScheduledPublishState>('state');

const { readScheduledTime, publishDueArticle } = proxyLocalActivities<PublishingActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '10 seconds' },
});

/** Go's durations end at 292 years; a longer wait is waited in parts. */
const LONGEST_WAIT_MS = 365 * 24 * 60 * 60_000;
/** What to wait where the worker's clock is behind the server's: doubled each time, since it may be far behind. */
const SHORTEST_SKEW_MS = 50;
const LONGEST_SKEW_MS = 1_000;

/** Publishes an article at its scheduled time. One for each article; ends when the article is published or no longer scheduled. */
export async function scheduledPublish(
  input: ScheduledPublishInput,
): Promise<ScheduledPublishState['state']> {
  let changed = false;
  let current: ScheduledPublishState = { state: 'starting', due: null };
  const onChange = (): void => {
    changed = true;
  };
  setHandler(reschedule, onChange, { description: 'Read the time anew: the schedule was made or moved.' });
  setHandler(cancel, onChange, { description: 'Read the schedule anew: it was taken back.' });
  setHandler(state, () => current, {
    description: 'What the process is doing, and when the article is due.',
  });
  const enter = (next: ScheduledPublishState): void => {
    current = next;
    setCurrentDetails(next.due === null ? next.state : `${next.state}, due ${next.due}`);
    upsertSearchAttributes([{ key: searchAttributes.processState, value: next.state }]);
  };

  for (let skew = SHORTEST_SKEW_MS; ;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof scheduledPublish>(input);
    changed = false;
    const due = await readScheduledTime(input.articleId);
    if (changed) continue;
    if (due === null) {
      enter({ state: 'cancelled', due: null });
      return 'cancelled';
    }
    if (current.due !== due) enter({ state: 'waiting', due });
    if (await changeOrTime(() => changed, due)) continue;
    if (await publishDueArticle(input.articleId)) {
      enter({ state: 'published', due });
      return 'published';
    }
    log.info('the database did not find the article due', { due });
    await condition(() => changed, skew);
    skew = Math.min(LONGEST_SKEW_MS, skew * 2);
  }
}

/** @returns true where the schedule changed before its time, or the time is further off than one wait goes */
async function changeOrTime(changed: () => boolean, due: string): Promise<boolean> {
  const remaining = Date.parse(due) - Date.now();
  if (remaining <= 0) return false;
  const woken = await condition(changed, Math.min(remaining, LONGEST_WAIT_MS));
  return woken || remaining > LONGEST_WAIT_MS;
}
