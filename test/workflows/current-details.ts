import type { WorkflowHandle } from '@temporalio/client';

/** The current details of a workflow, as the Temporal UI shows them. */
export async function detailsOf(workflow: Pick<WorkflowHandle, 'query'>): Promise<string> {
  const { currentDetails } = await workflow.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return currentDetails;
}
