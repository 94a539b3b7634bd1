import { Client, Connection } from '@temporalio/client';
import { until } from '../../../../dev/processes.ts';
import type { World } from '../world.ts';

const FAILED = 'ExecutionStatus IN ("Failed", "TimedOut", "Terminated", "Canceled")';
/** These wait for an hour, or for more to deliver; anything else has ended once the product is at rest. */
const STUCK = 'ExecutionStatus = "Running" AND WorkflowType NOT IN ("uploadReservation", "webhookEndpoint")';
/** Housekeeping takes up what a dead worker had in hand after a minute at the latest. */
const END_MS = 75_000;

/** No process failed, and none runs on without anything to do. */
export async function checkWorkflows({ product }: World): Promise<string[]> {
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
