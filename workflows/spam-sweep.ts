import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { SpamSweepActivities } from '../activities/spam-sweep.ts';

const { sweepSpam } = proxyActivities<SpamSweepActivities>({
  startToCloseTimeout: '1 minute',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: 10,
  },
});

/** Deletes spam 30 days after it was marked. The next run deletes the rest when the history gets long. */
export async function sweepAllSpam(): Promise<number> {
  let total = 0;
  for (let more = true; more && !workflowInfo().continueAsNewSuggested;) {
    const swept = await sweepSpam();
    total += swept.deleted;
    more = swept.more;
  }
  setCurrentDetails(`${total} comments deleted`);
  return total;
}
