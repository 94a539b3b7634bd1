import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SpamSweepActivities } from '../activities/spam-sweep.ts';
import { searchAttributes } from './names.ts';

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

/**
 * The same as a workflow of its own, which earlier versions started by a Temporal Schedule.
 *
 * @param before how many comments earlier runs of a long sweep deleted
 * @returns how many comments were deleted
 */
export async function spamSweep(before = 0): Promise<number> {
  const show = (state: string, details: string): void => {
    upsertSearchAttributes([{ key: searchAttributes.processState, value: state }]);
    setCurrentDetails(details);
  };
  show('sweeping', 'looking for spam that was marked 30 days ago');
  let total = before;
  for (;;) {
    const { deleted, more } = await sweepSpam();
    total += deleted;
    if (!more) break;
    setCurrentDetails(`${total} comments deleted so far`);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof spamSweep>(total);
  }
  show('done', `${total} comments deleted`);
  return total;
}
