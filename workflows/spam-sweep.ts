import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CommentingActivities } from '../activities/commenting.ts';
import { searchAttributes } from '../temporal/names.ts';

const { sweepSpam } = proxyActivities<CommentingActivities>({
  startToCloseTimeout: '1 minute',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '1 minute',
    maximumAttempts: 10,
  },
});

/**
 * Deletes spam 30 days after it was marked; run by a Temporal Schedule. Nothing is lost where a run fails: the
 * next one finds what is left.
 *
 * @param before what earlier runs of a long sweep have deleted
 * @returns how many comments are gone
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
