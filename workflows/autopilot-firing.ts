import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { AutopilotActivities } from '../activities/autopilot.ts';
import { untilItSucceeds } from './until-it-succeeds.ts';
import { showState } from './show-state.ts';

const { fireAutopilot } = proxyActivities<AutopilotActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', maximumAttempts: 10 },
});

/** A firing of the Schedule `autopilot/<site_id>`: starts a run with the first approved items of the content plan. */
export async function autopilotFiring({ siteId }: { readonly siteId: string }): Promise<string> {
  // The id names the time, and is the same for each attempt.
  const firing = { siteId, id: workflowInfo().workflowId };
  const outcome = await untilItSucceeds(
    () => fireAutopilot(firing),
    (reason) => showState('failing', `failing: retried every 5 min: ${reason}`),
  );
  showState('done', outcome);
  return outcome;
}
