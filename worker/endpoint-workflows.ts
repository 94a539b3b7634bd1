import type { Client } from '@temporalio/client';
import type { EndpointWorkflows } from '../activities/ports.ts';
import { workflowIdOf, workflowMessage } from '../domain/kernel/workflow-messages.ts';
import { deliver } from '../workflows/webhook-endpoint.ts';
import { signalIfRunning, startOrSignal } from './start-workflow.ts';

const OPEN = 'WorkflowType = "webhookEndpoint" AND ExecutionStatus = "Running"';
const PREFIX = workflowIdOf('webhook-endpoint', '');
const PAGE = 1_000;
const CALL_TIMEOUT_MS = 10_000;

/** @param reach returns the client; throws while Temporal is not reached */
export function endpointWorkflows(reach: () => Client): EndpointWorkflows {
  const call = <Result>(work: (client: Client) => Promise<Result>): Promise<Result> => {
    const client = reach();
    return client.withDeadline(Date.now() + CALL_TIMEOUT_MS, () => work(client));
  };
  return {
    count: async () => (await call((client) => client.workflow.count(OPEN))).count,
    async *endpointIds() {
      for await (const { workflowId } of reach().workflow.list({ query: OPEN, pageSize: PAGE }))
        if (workflowId.startsWith(PREFIX)) yield workflowId.slice(PREFIX.length);
    },
    start: (endpointId, siteId) =>
      call((client) => startOrSignal(client, workflowMessage('webhook-endpoint', { endpointId, siteId }))),
    wake: (endpointId) =>
      call((client) => signalIfRunning(client, workflowIdOf('webhook-endpoint', endpointId), deliver)),
  };
}
