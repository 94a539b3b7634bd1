import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { KeepEndpointsActivities } from '../activities/housekeeping/keep-endpoints.ts';
import { housekeeping } from './housekeeping.ts';
import type { Chore } from './names.ts';
import { reasonOf } from './reason.ts';
import { rescue } from './rescue.ts';
import { sweepAllSpam } from './spam-sweep.ts';
import { showState } from './show-state.ts';

export interface UpkeepInput {
  readonly chore: Chore;
  readonly paused?: boolean;
  /** How often it was done before this history began. */
  readonly runs?: number;
}

export interface UpkeepState {
  readonly state: 'working' | 'waiting' | 'paused';
  readonly runs: number;
  /** Why the last run failed; null if it did not. */
  readonly failed: string | null;
  /** What the last run did; null if it failed, or there was none yet. */
  readonly did: unknown;
}

// All of these come from an operator, or from a worker that starts.
export const run = defineSignal('run');
export const pause = defineSignal('pause');
export const resume = defineSignal('resume');
const state = defineQuery<UpkeepState>('state');

const { keepEndpoints } = proxyActivities<KeepEndpointsActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 3 },
});

const MINUTE_MS = 60_000;
/** Every so many runs it looks at each endpoint, even if their number is right. */
const THOROUGH = 100;

interface Work {
  /** From the end of one run to the next. */
  readonly everyMs: number;
  readonly run: (runs: number) => Promise<unknown>;
  /** Whether it sets the state and the details itself. */
  readonly shows?: true;
}

/** Each is safe to do twice. */
const works: Readonly<Record<Chore, Work>> = {
  rescue: { everyMs: MINUTE_MS, run: rescue, shows: true },
  housekeeping: { everyMs: MINUTE_MS, run: housekeeping, shows: true },
  'spam-sweep': { everyMs: 10 * MINUTE_MS, run: sweepAllSpam },
  endpoints: { everyMs: 10 * MINUTE_MS, run: (runs) => keepEndpoints(runs % THOROUGH === 0) },
};

/** Does a chore of the product again and again. One workflow for each, which never ends. */
export async function upkeep({ chore, paused: begunPaused = false, runs: before = 0 }: UpkeepInput) {
  const work = works[chore];
  let paused = begunPaused;
  let asked = false;
  let current: UpkeepState = { state: 'waiting', runs: before, failed: null, did: null };
  let shown = '';
  setHandler(run, () => void (asked = true), { description: 'Do it now, unless it is paused.' });
  setHandler(pause, () => void (paused = true), { description: 'Do it no more until resumed.' });
  setHandler(resume, () => void (paused = false), { description: 'Do it again, from now on.' });
  setHandler(state, () => current, {
    description: 'What it does, how often it was done, and what the last run did, or why it failed.',
  });
  const show = (next: string, reason: string | null = null): void => {
    if (next === shown && reason === null) return;
    shown = next;
    showState(next, reason === null ? next : `${next}: ${reason}`);
  };

  for (let runs = before; ; runs += 1) {
    if (paused) {
      current = { ...current, state: 'paused' };
      show('paused');
      await condition(() => !paused);
    }
    asked = false;
    current = { ...current, state: 'working' };
    let failed: string | null = null;
    let did: unknown = null;
    try {
      did = await work.run(runs);
      if (work.shows) shown = '';
      else show('done');
    } catch (error) {
      if (isCancellation(error)) throw error;
      failed = reasonOf(error);
      log.warn('a chore failed; the next run retries it', { chore, reason: failed });
      show('incomplete', failed);
    }
    current = { state: 'waiting', runs: runs + 1, failed, did };
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof upkeep>({ chore, paused, runs: runs + 1 });
    await condition(() => asked || paused, work.everyMs);
  }
}
