import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  log,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { withFallback } from './with-fallback.ts';
import { showState } from './show-state.ts';

// Both only say that the schedule changed; the database says how. Signals may therefore arrive late, twice or out of
// order. They are signals and not updates because no caller waits for an answer.
export const reschedule = defineSignal('reschedule');
export const cancel = defineSignal('cancel');

/** Work that waits for its time. `End`: the ways in which it ends besides being published. */
export interface Waiting<End extends string> {
  /** `failing`: the due time cannot be read. `publishing`: it is due and publishing it fails. */
  readonly state: 'starting' | 'waiting' | 'failing' | 'publishing' | 'published' | End;
  /** When it is due, ISO 8601; null until it is known. */
  readonly due: string | null;
}

/** When it is due, ISO 8601, or how the workflow ends, and why. */
export type Reading<End extends string> =
  | { readonly due: string }
  | { readonly end: End | 'published'; readonly why?: string };

/** The two activities, called as local ones or as normal ones. */
export interface Steps<End extends string> {
  readonly read: () => Promise<Reading<End>>;
  /** @returns false if it is not due, or could not be published yet */
  readonly publish: () => Promise<boolean>;
}

export const localOptions = {
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '15 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '2 seconds', maximumAttempts: 6 },
} as const;
/** Retried until done; each attempt reads the current schedule. */
export const visibleOptions = {
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
} as const;

/** Go's durations end at 292 years, so a longer wait is split. */
const LONGEST_WAIT_MS = 365 * 24 * 60 * 60_000;
/** Wait before another look if the worker's clock is behind the server's. Doubled each time: it may be far behind. */
const SHORTEST_SKEW_MS = 50;
const LONGEST_SKEW_MS = 1_000;

/**
 * Waits until something is due and publishes it, however often its schedule changes meanwhile.
 *
 * @param input of the workflow, which may continue as new
 * @returns how it ended
 */
export async function publishAtItsTime<End extends string>(
  input: object,
  local: Steps<End>,
  visible: Steps<End>,
): Promise<Waiting<End>['state']> {
  let changed = false;
  let current: Waiting<End> = { state: 'starting', due: null };
  const onChange = (): void => {
    changed = true;
  };
  setHandler(reschedule, onChange, { description: 'It was scheduled or rescheduled: read the time again.' });
  setHandler(cancel, onChange, { description: 'The schedule was cancelled: read it again.' });
  setHandler(defineQuery<Waiting<End>>('state'), () => current, {
    description: 'What the workflow is doing, and when its article or edit is due.',
  });
  const enter = (next: Waiting<End>, why?: string): void => {
    current = next;
    const details = next.due === null ? next.state : `${next.state}, due ${next.due}`;
    showState(next.state, why === undefined ? details : `${details}: ${why}`);
  };

  for (let skew = SHORTEST_SKEW_MS; ;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew(input);
    changed = false;
    const found = await withFallback(local.read, visible.read, (reason) =>
      enter({ state: 'failing', due: current.due }, reason),
    );
    if (changed) continue;
    if ('end' in found) {
      enter({ state: found.end, due: null }, found.why);
      return found.end;
    }
    const { due } = found;
    if (current.state !== 'waiting' || current.due !== due) enter({ state: 'waiting', due });
    if (await changeOrTime(() => changed, due)) continue;
    const published = await withFallback(local.publish, visible.publish, (reason) =>
      enter({ state: 'publishing', due }, reason),
    );
    // It may have been scheduled anew since it was published.
    if (published && changed) continue;
    if (published) {
      enter({ state: 'published', due });
      return 'published';
    }
    log.info('it was due and was not published', { due });
    await condition(() => changed, skew);
    skew = Math.min(LONGEST_SKEW_MS, skew * 2);
  }
}

/** @returns true if the schedule changed before its time, or the time is further away than one wait */
async function changeOrTime(changed: () => boolean, due: string): Promise<boolean> {
  const remaining = Date.parse(due) - Date.now();
  if (remaining <= 0) return false;
  const woken = await condition(changed, Math.min(remaining, LONGEST_WAIT_MS));
  return woken || remaining > LONGEST_WAIT_MS;
}
