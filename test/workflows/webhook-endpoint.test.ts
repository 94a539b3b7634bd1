import { randomUUID } from 'node:crypto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { createDeliveryActivities } from '../../activities/delivering.ts';
import type { DeliveryActivities } from '../../activities/delivering.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
import { searchAttributes, webhookEndpointId } from '../../temporal/names.ts';
import {
  deliver,
  pause,
  redeliver,
  replay,
  resume,
  state,
  webhookEndpoint,
} from '../../workflows/webhook-endpoint.ts';
import { environment } from '../support/environment.ts';
import { silent, workflowsPath } from '../support/temporal.ts';
import { prepareNamespace } from '../../worker/namespace.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookWorld } from '../support/webhooks.ts';

const HOUR = 60 * 60_000;

let temporal: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundleWithSourceMap;
let world: WebhookWorld;

beforeAll(async () => {
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  temporal = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: environment('TIME_SKIPPING_SERVER') } },
  });
  await prepareNamespace(temporal.nativeConnection, 'default', silent);
});
afterAll(() => temporal.teardown());
beforeEach(async () => {
  world = await startWebhooks();
});
afterEach(() => world.close());

/** The product's activities, on a clock that goes with the server's. */
function activities(): DeliveryActivities {
  const real = createDeliveryActivities(world.session);
  const sync = async (): Promise<void> => world.clock.freeze(new Date(await temporal.currentTimeMs()));
  return {
    ...real,
    async deliverDue(endpointId) {
      await sync();
      return real.deliverDue(endpointId);
    },
  };
}

/** Runs a worker as long as `work` does, and starts the endpoint's process in it. */
async function withProcess(
  endpointId: string,
  work: (handle: Awaited<ReturnType<typeof start>>) => Promise<void>,
): Promise<void> {
  const taskQueue = `webhooks-${randomUUID()}`;
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue,
    workflowBundle,
    activities: activities(),
  });
  await worker.runUntil(async () => work(await start(endpointId, taskQueue)));
}

const start = (endpointId: string, taskQueue: string) =>
  temporal.client.workflow.signalWithStart(webhookEndpoint, {
    taskQueue,
    workflowId: webhookEndpointId(endpointId),
    args: [{ endpointId }],
    signal: deliver,
  });

/** Lets time pass until the process has ended. */
async function finish(handle: { describe(): Promise<{ status: { name: string } }> }): Promise<void> {
  for (let hours = 0; (await handle.describe()).status.name === 'RUNNING'; hours += 1) {
    expect(hours).toBeLessThan(24);
    await temporal.sleep(HOUR);
  }
}

const now = async () => new Date(await temporal.currentTimeMs());
const emit = async (count = 1): Promise<string[]> => {
  world.clock.freeze(await now());
  return world.emit(count);
};

test('the six attempts are made at their times over seven hours, and then the process ends', async () => {
  const receiver = await world.receiver(500);
  const { id } = await world.endpoint(receiver.url);
  await emit();
  await withProcess(id, async (handle) => {
    await finish(handle);
  });
  const rows = await world.attempts(id);
  expect(rows.map(({ attempt, status }) => [attempt, status])).toEqual(
    [1, 2, 3, 4, 5, 6].map((attempt) => [attempt, 'failed']),
  );
  for (const [index, delay] of defaultRetryDelays.entries()) {
    const due = rows[index].next_attempt_at.getTime();
    const pause = due - rows[index].attempted_at.getTime();
    expect(pause).toBeGreaterThanOrEqual(delay);
    expect(pause).toBeLessThanOrEqual(delay * 1.25);
    const late = rows[index + 1].attempted_at.getTime() - due;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(5_000);
  }
  expect(rows[5].next_attempt_at).toBeNull();
  expect(new Set(receiver.seen.map(({ body }) => body)).size).toBe(1);
});

test('what has arrived leaves nothing to wait for: the process ends', async () => {
  const receiver = await world.receiver();
  const { id } = await world.endpoint(receiver.url);
  await emit(20);
  await withProcess(id, async (handle) => {
    await finish(handle);
  });
  expect(receiver.seen).toHaveLength(20);
  const { status, typedSearchAttributes } = await temporal.client.workflow
    .getHandle(webhookEndpointId(id))
    .describe();
  expect(status.name).toBe('COMPLETED');
  // Nobody gave it any when it was started, as support does not from the CLI.
  expect(typedSearchAttributes.get(searchAttributes.endpointId)).toBe(id);
  expect(typedSearchAttributes.get(searchAttributes.processState)).toBe('idle');
});

test('it ends for an endpoint that is deleted or disabled while a retry waits', async () => {
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', { enabled: false }],
  ] as const) {
    const { id } = await world.endpoint((await world.receiver(500)).url);
    await emit();
    await withProcess(id, async (handle) => {
      await eventually('the first attempt', async () => (await world.attempts(id)).length === 1);
      expect((await world.request(method, `/webhooks/${id}`, body)).status).toBeLessThan(300);
      await finish(handle);
      expect((await world.attempts(id)).length).toBe(method === 'DELETE' ? 0 : 1);
    });
  }
});

test('paused by signal it sends nothing, says so, and goes on where it was when resumed', async () => {
  const receiver = await world.receiver();
  const { id } = await world.endpoint(receiver.url);
  await withProcess(id, async (handle) => {
    await handle.signal(pause);
    await eventually('it is paused', async () => (await handle.query(state))?.paused);
    await emit(3);
    await handle.signal(deliver);
    await eventually('it has seen what waits', async () => (await handle.query(state))?.waiting === 3);
    expect(receiver.seen).toHaveLength(0);
    await handle.signal(resume);
    await eventually('they are sent', () => receiver.seen.length === 3);
    await finish(handle);
    expect(await handle.query(state)).toMatchObject({ paused: false, waiting: 0, nextAt: null });
  });
});

test('redeliver by signal sends an event again from attempt 1, in place of its waiting retry', async () => {
  let status = 500;
  const receiver = await world.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await world.endpoint(receiver.url);
  const [eventId] = await emit();
  await withProcess(id, async (handle) => {
    await eventually('the first attempt', async () => (await world.attempts(id)).length === 1);
    status = 200;
    await handle.signal(redeliver, eventId!);
    await finish(handle);
  });
  expect((await world.attempts(id)).map((row) => [row.attempt, row.redelivery, row.status])).toEqual([
    [1, false, 'failed'],
    [1, true, 'succeeded'],
  ]);
  expect(receiver.seen[1]!.body).toBe(receiver.seen[0]!.body);
});

test('replay by signal sends what was missed; a request that makes no sense is refused, and stops nothing', async () => {
  const missed = await emit(5);
  const receiver = await world.receiver();
  const { id } = await world.endpoint(receiver.url);
  const since = new Date((await now()).getTime() - HOUR).toISOString();
  await withProcess(id, async (handle) => {
    await handle.signal(redeliver, '00000000-0000-4000-8000-000000000000');
    await handle.signal(replay, { since: 'nonsense' });
    await handle.signal(replay, { since, events: ['article.deleted'] });
    await handle.signal(replay, { since });
    await finish(handle);
  });
  expect(new Set(receiver.seen.map(({ body }) => JSON.parse(body).id))).toEqual(new Set(missed));
  expect(receiver.seen).toHaveLength(5);
  expect((await world.attempts(id)).every(({ redelivery }) => redelivery)).toBe(true);
});

test('the state query tells what waits, when the next attempt is due, the failures and the last error', async () => {
  const { id } = await world.endpoint((await world.receiver(503)).url);
  await emit(2);
  await withProcess(id, async (handle) => {
    await eventually('both have failed', async () => (await world.attempts(id)).length === 2);
    await eventually('it is known', async () => (await handle.query(state))?.consecutiveFailures === 2);
    const rows = await world.attempts(id);
    const next = Math.min(...rows.map((row) => row.next_attempt_at.getTime()));
    expect(await handle.query(state)).toEqual({
      exists: true,
      enabled: true,
      paused: false,
      waiting: 2,
      nextAt: new Date(next).toISOString(),
      leaseEndsAt: null,
      consecutiveFailures: 2,
      lastError: 'status 503',
    });
    await world.request('DELETE', `/webhooks/${id}`);
    await handle.signal(deliver);
    await finish(handle);
  });
});

test('a history of it replays without a difference', async () => {
  let status = 500;
  const receiver = await world.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await world.endpoint(receiver.url);
  const [eventId] = await emit();
  await withProcess(id, async (handle) => {
    await eventually('the first attempt', async () => (await world.attempts(id)).length === 1);
    await handle.signal(pause);
    await handle.signal(resume);
    status = 200;
    await handle.signal(redeliver, eventId!);
    await finish(handle);
    await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory(), handle.workflowId);
  });
});
