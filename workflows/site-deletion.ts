import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { Progress } from '../activities/deletion-steps.ts';
import type { SiteDeletionActivities } from '../activities/site-deletion.ts';
import { deletionSteps } from './deletion-steps.ts';

const { stopSite, deleteSiteRows, deleteSiteObjects, forgetSiteWorkflows, finishSite } =
  proxyActivities<SiteDeletionActivities>({
    startToCloseTimeout: '1 minute',
    // After that, another worker continues the work of a dead one.
    heartbeatTimeout: '15 seconds',
    retry: {
      initialInterval: '1 second',
      backoffCoefficient: 2,
      maximumInterval: '30 seconds',
      maximumAttempts: 10,
    },
  });

/** Temporal's list of workflows follows changes within a second or two. */
const LIST_FOLLOWS_MS = 2_000;

/**
 * Deletes everything of a Site whose deletion was asked for: rows, objects, and histories in Temporal. A first sweep deletes
 * all there is. A last one follows when every request and upload URL from before has ended, and then the Site itself is
 * deleted. What is left is the receipt.
 */
export async function siteDeletion(input: { readonly siteId: string }): Promise<void> {
  const { siteId } = input;
  const { show, step } = deletionSteps();
  const all = async (state: string, details: string, work: () => Promise<Progress>, pauseMs = 0) => {
    while ((await step(state, details, work)).more) {
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof siteDeletion>(input);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const sweep = async (): Promise<string | null> => {
    const quietAt = await step('stopping', 'terminating the workflows of the Site', () => stopSite(siteId));
    await all('deleting', 'deleting rows', () => deleteSiteRows(siteId));
    await all('deleting', 'deleting objects in storage', () => deleteSiteObjects(siteId));
    return quietAt;
  };

  const quietAt = await sweep();
  if (quietAt !== null) {
    show(
      'waiting',
      `deleted; the last sweep follows at ${quietAt}, when nothing from before can still arrive`,
    );
    await sleep(Math.max(0, Date.parse(quietAt) - Date.now()));
  }
  do {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof siteDeletion>(input);
    await sweep();
    await all(
      'deleting',
      'deleting what Temporal keeps of the workflows of the Site',
      () => forgetSiteWorkflows(siteId),
      LIST_FOLLOWS_MS,
    );
  } while (!(await step('deleting', 'deleting the Site itself', () => finishSite(siteId))));
  show('done', 'everything is deleted; the receipt is in the table deletions');
}
