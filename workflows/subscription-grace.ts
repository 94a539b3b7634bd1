import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { SubscriptionGraceActivities } from '../activities/subscription-grace.ts';
import { showState } from './show-state.ts';

export interface SubscriptionGraceState {
  readonly state: 'starting' | 'grace' | 'over';
  readonly until: string | null;
}

// Both only say that something changed; the database says what.
export const graceBegun = defineSignal('begun');
export const graceChanged = defineSignal('changed');
const state = defineQuery<SubscriptionGraceState>('state');

const { readSubscriptionGrace, endSubscriptionGrace } = proxyActivities<SubscriptionGraceActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Wait before another look if the worker's clock is behind the server's. Doubled each time: it may be far behind. */
const SHORTEST_SKEW_MS = 100;
const LONGEST_SKEW_MS = 60_000;

/** Takes the plan of a subscription back when the grace of its failed renewal is over, unless it is paid before. */
export async function subscriptionGrace(input: { readonly subscriptionId: string }): Promise<void> {
  const { subscriptionId } = input;
  let changed = false;
  let current: SubscriptionGraceState = { state: 'starting', until: null };
  const onChange = (): void => {
    changed = true;
  };
  setHandler(graceBegun, onChange, { description: 'A renewal failed: read the end of its grace.' });
  setHandler(graceChanged, onChange, { description: 'The subscription changed: read the end again.' });
  setHandler(state, () => current, { description: 'Whether the plan is kept, and until when.' });
  const enter = (next: SubscriptionGraceState, details: string): void => {
    current = next;
    showState(next.state, details);
  };

  for (let skew = SHORTEST_SKEW_MS; ; skew = Math.min(LONGEST_SKEW_MS, skew * 2)) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof subscriptionGrace>(input);
    changed = false;
    const until = await readSubscriptionGrace(subscriptionId);
    if (changed) continue;
    if (until === null) break;
    if (until !== current.until)
      enter({ state: 'grace', until }, `the renewal failed; the plan is kept until ${until}`);
    const remaining = Date.parse(until) - Date.now();
    if (remaining > 0) {
      await condition(() => changed, remaining);
      if (changed) continue;
    }
    if ((await endSubscriptionGrace(subscriptionId)) && !changed) break;
    await condition(() => changed, skew);
  }
  enter({ state: 'over', until: current.until }, 'no renewal is overdue, or its plan was taken back');
}
