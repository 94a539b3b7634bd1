/** A filter of the Temporal UI's list of workflows for a symptom of docs/runbook/temporal.md. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

const open = 'ExecutionStatus="Running"';

export const savedViews: readonly SavedView[] = [
  {
    name: 'articles not published',
    query: `WorkflowType="scheduledPublish" AND ProcessState IN ("failing","publishing") AND ${open}`,
  },
  {
    name: 'pending edits not published',
    query: `WorkflowType="pendingEdit" AND (ProcessState="conflict" OR (ProcessState IN ("failing","publishing") AND ${open}))`,
  },
  {
    name: 'endpoints that fail or are paused',
    query: `WorkflowType="webhookEndpoint" AND ProcessState IN ("retrying","failed","failing","paused","disabled") AND ${open}`,
  },
  {
    name: 'runs at work, partial or failed',
    query: `WorkflowType="pipelineRun" AND (${open} OR ProcessState IN ("partial","failed"))`,
  },
  {
    name: 'bulk jobs that fail',
    query: `WorkflowType="bulk" AND ProcessState="failing" AND ${open}`,
  },
  {
    name: 'connections whose pushes fail',
    query: `WorkflowType="cmsPush" AND ProcessState IN ("retrying","failed","failing") AND ${open}`,
  },
  {
    name: 'workflows that did not end well',
    query: 'ExecutionStatus IN ("Failed","Terminated","TimedOut","Canceled")',
  },
  {
    name: 'approvals that wait for a person',
    query: `WorkflowType="approval" AND ProcessState="pending" AND ${open}`,
  },
];

/** The page of the Temporal UI that shows a view. */
export const viewUrl = (uiUrl: string, namespace: string, { query }: SavedView): string =>
  `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`;
