import { continueAsNew, defineSignal, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { AutopilotActivities } from '../activities/autopilot.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';
import { showState } from './show-state.ts';

/** Says that the settings or the timezone changed. The database says how. */
export const autopilotChanged = defineSignal('changed');

const { followAutopilot } = proxyActivities<AutopilotActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', maximumAttempts: 10 },
});

/** Sets the Schedule `autopilot/<site_id>` by the settings of the Site. */
export async function autopilotSchedule(input: { readonly siteId: string }): Promise<string> {
  let changed = false;
  setHandler(autopilotChanged, () => void (changed = true), {
    description: 'The settings of the autopilot changed: read them again.',
  });
  const failing = (reason: string): void => showState('failing', `failing: retried every 5 min: ${reason}`);
  for (;;) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof autopilotSchedule>(input);
    changed = false;
    const state = await untilItSucceeds(() => followAutopilot(input.siteId), failing);
    if (changed) continue;
    showState('done', `the Schedule of the Site is ${state}`);
    return state;
  }
}
