import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { OrganisationDeletionActivities } from '../activities/organisation-deletion.ts';
import { deletionSteps } from './deletion-steps.ts';

const { deleteSites, deleteOrganisation } = proxyActivities<OrganisationDeletionActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '15 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '30 seconds',
    maximumAttempts: 10,
  },
});

/** Between two looks at the Sites, each of which its own workflow deletes. */
const LOOK = '20 seconds';

/** Deletes an organisation whose deletion was asked for, once its Sites are deleted. The receipt is left. */
export async function organisationDeletion(input: { readonly organisationId: string }): Promise<void> {
  const { organisationId } = input;
  const { show, step } = deletionSteps();
  for (;;) {
    const left = await step('waiting', 'waiting until the Sites are deleted', () =>
      deleteSites(organisationId),
    );
    if (left === 0) break;
    setCurrentDetails(
      `waiting until the Sites are deleted: ${left} left, each by its workflow site-deletion/<id>`,
    );
    await sleep(LOOK);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof organisationDeletion>(input);
  }
  while (
    (await step('deleting', 'deleting members and the log', () => deleteOrganisation(organisationId))).more
  )
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof organisationDeletion>(input);
  show('done', 'everything is deleted; the receipt is in the table deletions');
}
