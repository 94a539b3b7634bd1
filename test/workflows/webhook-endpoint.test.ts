import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createWebhookEndpointActivities } from '../../activities/webhook-endpoint.ts';
import type { WebhookEndpointActivities } from '../../activities/webhook-endpoint.ts';
import { defaultRetryDelays } from '../../domain/webhooks/retry-schedule.ts';
import { workflowIdOf } from '../../domain/kernel/workflow-messages.ts';
import { searchAttributes } from '../../workflows/names.ts';
import {
  deliver,
  pause,
  redeliver,
  replay,
  resume,
  state,
  webhookEndpoint,
} from '../../workflows/webhook-endpoint.ts';
import { startOnSharedDatabase } from '../support/api.ts';
import { silent, workflowBundle } from '../support/temporal.ts';
import { startTimeSkipping } from '../support/time-skipping.ts';
import { prepareNamespace } from '../../worker/namespace.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhooks } from '../support/webhooks.ts';
import type { WebhookStack } from '../support/webhooks.ts';

const HOUR = 60 * 60_000;

let temporal: TestWorkflowEnvironment;
let stack: WebhookStack;

beforeAll(async () => {
  temporal = await startTimeSkipping();
  await prepareNamespace(temporal.nativeConnection, 'default', silent);
});
afterAll(() => temporal.teardown());
beforeEach(async () => {
  stack = await startWebhooks(startOnSharedDatabase);
});
afterEach(() => stack.close());

/** The product's activities, with the server's time. */
function activities(): WebhookEndpointActivities {
  const real = createWebhookEndpointActivities(stack.session);
  const sync = async (): Promise<void> => stack.clock.freeze(new Date(await temporal.currentTimeMs()));
  return {
    ...real,
    async deliverDue(endpointId) {
      await sync();
      return real.deliverDue(endpointId);
    },
  };
}

/** Runs a worker during `work`, with the endpoint's workflow started. */
async function withProcess(endpointId: string, work: (handle: Handle) => Promise<void>): Promise<void> {
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
    workflowId: workflowIdOf('webhook-endpoint', endpointId),
    args: [{ endpointId }],
    signal: deliver,
  });

type Handle = Awaited<ReturnType<typeof start>>;

/** Skips time until the workflow has nothing to wait for. It stays open. */
async function rest(handle: Handle): Promise<void> {
  for (let hours = 0; !(await isAtRest(handle)); hours += 1) {
    expect(hours).toBeLessThan(24);
    await temporal.sleep(HOUR);
  }
}

/** Whether its history has no timer that runs, and nothing that its worker has yet to see. */
async function isAtRest(handle: Handle): Promise<boolean> {
  const names = ((await handle.fetchHistory()).events ?? []).map((event) =>
    Object.keys(event).find((name) => name.endsWith('EventAttributes')),
  );
  const count = (name: string): number => names.filter((each) => each === `${name}EventAttributes`).length;
  const timers = count('timerStarted') - count('timerFired') - count('timerCanceled');
  const unseen = names.slice(names.lastIndexOf('workflowTaskCompletedEventAttributes') + 1);
  return (
    timers === 0 &&
    names.includes('workflowTaskCompletedEventAttributes') &&
    !unseen.some((name) => /^(workflowTask|workflowExecutionSignaled|timerFired)/.test(name ?? ''))
  );
}

const isOpen = async (handle: Handle): Promise<boolean> =>
  (await handle.describe()).status.name === 'RUNNING';

const now = async () => new Date(await temporal.currentTimeMs());
const emit = async (count = 1): Promise<string[]> => {
  stack.clock.freeze(await now());
  return stack.emit(count);
};

test('the six attempts are made at their times over seven hours', async () => {
  const begun = performance.now();
  const receiver = await stack.receiver(500);
  const { id } = await stack.endpoint(receiver.url);
  await emit();
  await withProcess(id, async (handle) => {
    await rest(handle);
  });
  const rows = await stack.attempts(id);
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
    // While the server skips no time, its time passes as that of this machine, which may be busy.
    expect(late).toBeLessThan(5_000 + performance.now() - begun);
  }
  expect(rows[5].next_attempt_at).toBeNull();
  expect(new Set(receiver.seen.map(({ body }) => body)).size).toBe(1);
});

test('an idle endpoint has an open workflow without a timer: it can be signalled, and costs nothing', async () => {
  const receiver = await stack.receiver();
  const { id } = await stack.endpoint(receiver.url);
  await emit(20);
  await withProcess(id, async (handle) => {
    // Time that is skipped would end the lease of an attempt in flight, which is then repeated.
    await eventually('all are delivered', async () => (await stack.attempts(id)).length === 20);
    await rest(handle);
    expect(receiver.seen).toHaveLength(20);
    const { events } = await handle.fetchHistory();
    await temporal.sleep(24 * HOUR);
    expect(await isOpen(handle)).toBe(true);
    expect((await handle.fetchHistory()).events).toHaveLength(events?.length ?? 0);
    const { typedSearchAttributes } = await handle.describe();
    // It was started without any, as support does from the CLI.
    expect(typedSearchAttributes.get(searchAttributes.endpointId)).toBe(id);
    expect(typedSearchAttributes.get(searchAttributes.processState)).toBe('idle');
    await handle.signal(pause);
    await eventually('it is paused', async () => (await handle.query(state))?.paused);
  });
});

test('of an endpoint that is disabled while a retry waits it stays open, and of one that is deleted it ends', async () => {
  for (const [method, body, open] of [
    ['PATCH', { enabled: false }, true],
    ['DELETE', undefined, false],
  ] as const) {
    const { id } = await stack.endpoint((await stack.receiver(500)).url);
    await emit();
    await withProcess(id, async (handle) => {
      await eventually('the first attempt', async () => (await stack.attempts(id)).length === 1);
      expect((await stack.request(method, `/webhooks/${id}`, body)).status).toBeLessThan(300);
      // As the relay does for the change.
      await handle.signal(deliver);
      if (open) await rest(handle);
      else await handle.result();
      expect(await isOpen(handle)).toBe(open);
      expect((await stack.attempts(id)).length).toBe(1);
    });
  }
});

test('an endpoint whose last attempts failed shows it, until one succeeds', async () => {
  let status = 500;
  const receiver = await stack.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await stack.endpoint(receiver.url);
  await emit();
  const shown = async (handle: Handle) =>
    (await handle.describe()).typedSearchAttributes.get(searchAttributes.processState);
  await withProcess(id, async (handle) => {
    await eventually('a retry waits', async () => (await shown(handle)) === 'retrying');
    await rest(handle);
    expect(await shown(handle)).toBe('failed');
    status = 200;
    await emit();
    await handle.signal(deliver);
    await eventually('it is idle', async () => (await shown(handle)) === 'idle');
  });
});

test('paused by signal it sends nothing and shows it, and continues when resumed', async () => {
  const receiver = await stack.receiver();
  const { id } = await stack.endpoint(receiver.url);
  await withProcess(id, async (handle) => {
    await handle.signal(pause);
    await eventually('it is paused', async () => (await handle.query(state))?.paused);
    await emit(3);
    await handle.signal(deliver);
    await eventually('it has seen what waits', async () => (await handle.query(state))?.waiting === 3);
    expect(receiver.seen).toHaveLength(0);
    await handle.signal(resume);
    await eventually('they are sent', () => receiver.seen.length === 3);
    await rest(handle);
    expect(await handle.query(state)).toMatchObject({ paused: false, waiting: 0, nextAt: null });
  });
});

test('redeliver by signal sends an event again from attempt 1, instead of its waiting retry', async () => {
  let status = 500;
  const receiver = await stack.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await stack.endpoint(receiver.url);
  const [eventId] = await emit();
  await withProcess(id, async (handle) => {
    await eventually('the first attempt', async () => (await stack.attempts(id)).length === 1);
    status = 200;
    await handle.signal(redeliver, eventId!);
    await rest(handle);
  });
  expect((await stack.attempts(id)).map((row) => [row.attempt, row.redelivery, row.status])).toEqual([
    [1, false, 'failed'],
    [1, true, 'succeeded'],
  ]);
  expect(receiver.seen[1]!.body).toBe(receiver.seen[0]!.body);
});

test('replay by signal sends missed events; an invalid request is refused, and stops nothing', async () => {
  const missed = await emit(5);
  const receiver = await stack.receiver();
  const { id } = await stack.endpoint(receiver.url);
  const since = new Date((await now()).getTime() - HOUR).toISOString();
  await withProcess(id, async (handle) => {
    await handle.signal(redeliver, '00000000-0000-4000-8000-000000000000');
    await handle.signal(replay, { since: 'nonsense' });
    await handle.signal(replay, { since, events: ['article.deleted'] });
    await handle.signal(replay, { since });
    await rest(handle);
  });
  expect(new Set(receiver.seen.map(({ body }) => JSON.parse(body).id))).toEqual(new Set(missed));
  expect(receiver.seen).toHaveLength(5);
  expect((await stack.attempts(id)).every(({ redelivery }) => redelivery)).toBe(true);
});

test('the state query shows what waits, when the next attempt is due, the failures and the last error', async () => {
  const { id } = await stack.endpoint((await stack.receiver(503)).url);
  await emit(2);
  await withProcess(id, async (handle) => {
    await eventually('both have failed', async () => (await stack.attempts(id)).length === 2);
    await eventually('it is known, and nothing is in flight', async () => {
      const known = await handle.query(state);
      return known?.consecutiveFailures === 2 && known.leaseEndsAt === null;
    });
    const rows = await stack.attempts(id);
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
      siteId: stack.tenant.siteId,
    });
    await stack.request('DELETE', `/webhooks/${id}`);
    await handle.signal(deliver);
    await handle.result();
  });
});

test('its history replays', async () => {
  let status = 500;
  const receiver = await stack.receiver((_, response) => void response.writeHead(status).end());
  const { id } = await stack.endpoint(receiver.url);
  const [eventId] = await emit();
  await withProcess(id, async (handle) => {
    await eventually('the first attempt', async () => (await stack.attempts(id)).length === 1);
    await handle.signal(pause);
    await handle.signal(resume);
    status = 200;
    await handle.signal(redeliver, eventId!);
    await rest(handle);
    await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory(), handle.workflowId);
  });
});
