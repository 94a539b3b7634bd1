import { TestWorkflowEnvironment } from '@temporalio/testing';
import { prepareNamespace } from '../../worker/namespace.ts';
import { environment } from './environment.ts';
import { silent } from './temporal.ts';
import type { TestTemporal } from './temporal.ts';

/** At this size it suggests continue-as-new; the default is 4,096 events. */
const LONG = 60;

/** A Temporal server that suggests continue-as-new early. */
export async function startImpatientTemporal(): Promise<TestTemporal> {
  const server = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: environment('TEMPORAL_PROGRAM') },
      extraArgs: ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${LONG}`],
    },
  });
  const { nativeConnection: connection, client, address } = server;
  const namespace = server.namespace ?? 'default';
  await prepareNamespace(connection, namespace, silent);
  return { address, namespace, connection, client, close: () => server.teardown() };
}
