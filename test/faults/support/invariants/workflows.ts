import { Client, Connection } from '@temporalio/client';
import { until } from '../../../../tools/dev/processes.ts';
import type { Stack } from '../stack.ts';

const FAILED = 'ExecutionStatus IN ("Failed", "TimedOut", "Terminated", "Canceled")';
/** These wait for an hour, or stay open; all others have ended once the product is idle. */
const STUCK =
  'ExecutionStatus = "Running" AND WorkflowType NOT IN ("uploadReservation", "webhookEndpoint", "upkeep")';
/** After a minute, housekeeping has retried the tasks of a dead worker. */
const END_MS = 75_000;

/** No workflow failed, and none keeps running without work. */
export async function checkWorkflows({ product }: Stack): Promise<string[]> {
  const { temporal_address: address, temporal_namespace: namespace } = product.addresses;
  const connection = await Connection.connect({ address });
  try {
    const { workflow } = new Client({ connection, namespace });
    await until(async () => (await workflow.count(STUCK)).count === 0, END_MS, 200);
    const wrong: string[] = [];
    for (const query of [FAILED, STUCK]) {
      for await (const { workflowId, status } of workflow.list({ query }))
        wrong.push(`${workflowId} is ${status.name}`);
    }
    return wrong;
  } finally {
    await connection.close();
  }
}
