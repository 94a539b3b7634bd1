import { createKeepEndpointsActivities } from '../../activities/housekeeping/keep-endpoints.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { endpointWorkflows } from '../../worker/endpoint-workflows.ts';
import { eventually } from '../support/eventually.ts';
import { silent, startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

let stack: WebhookStack;
let temporal: TestTemporal;

beforeEach(async () => {
  [stack, temporal] = await Promise.all([startWebhooks(), startTemporal()]);
});
afterEach(async () => {
  await temporal.close();
  await stack.close();
});

const workflows = () => endpointWorkflows(() => temporal.client);
const keep = (thorough = false): Promise<number> =>
  createKeepEndpointsActivities({
    db: stack.api.db,
    log: silent,
    endpointWorkflows: workflows(),
  }).keepEndpoints(thorough);

const register = async (): Promise<string> =>
  (await stack.endpoint('https://example.com/', {}, (await stack.newTenant()).secretKey)).id;

const openOnes = async (): Promise<string[]> => {
  const ids = [];
  for await (const id of workflows().endpointIds()) ids.push(id);
  return ids.toSorted();
};

const handle = (id: string) => temporal.client.workflow.getHandle(workflowIdOf('webhook-endpoint', id));
const signals = async (id: string): Promise<number> =>
  ((await handle(id).fetchHistory()).events ?? []).filter(
    (event) => event.workflowExecutionSignaledEventAttributes,
  ).length;

/** Visibility is a moment behind. */
const counted = (number: number): Promise<void> =>
  eventually(`${number} are open`, async () => (await workflows().count()) === number);

test('endpoints without a workflow get one; the next look does nothing', async () => {
  const ids = [await register(), await register(), await register()];
  expect(await keep()).toBe(3);
  await counted(3);
  expect(await openOnes()).toEqual(ids.toSorted());
  expect(await keep()).toBe(0);
  expect(await keep(true)).toBe(0);
});

test('a workflow that was lost is started, and no other one is disturbed', async () => {
  const [lost, kept] = [await register(), await register()];
  await keep();
  await counted(2);
  await handle(lost).terminate();
  await counted(1);
  expect(await keep()).toBe(1);
  await counted(2);
  expect(await signals(kept)).toBe(1);
});

test('the workflow of an endpoint that no longer exists is woken, so that it ends, even if the numbers are right', async () => {
  const [gone, lost] = [await register(), await register()];
  await keep();
  await counted(2);
  await stack.api.db.pool.query('delete from webhook_endpoints where id = $1', [gone]);
  await handle(lost).terminate();
  await counted(1);
  // One open, one endpoint: only a thorough look finds out.
  expect(await keep()).toBe(0);
  expect(await keep(true)).toBe(2);
  expect(await signals(gone)).toBe(2);
});
