import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import type { WorkerOptions } from '@temporalio/worker';
import { workflowSpans } from '../../worker/tracing.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal, workflowBundle } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { changedOptions } from './histories.ts';

/**
 * A deploy with running workflows: the running version, and one with an additional activity, protected by `patched`, on
 * the same task queue (docs/decisions/0029).
 */
let temporal: TestTemporal;
let versions: Readonly<Record<'old' | 'next', NonNullable<WorkerOptions['workflowBundle']>>>;
const running: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  versions = { old: workflowBundle, next: await bundleWorkflowCode({ ...changedOptions, logger }) };
  temporal = await startTemporal();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()));
});
afterAll(() => temporal.close());

/** When the grace of each key ends, and how often the next version's additional step was done. */
const ends = new Map<string, string>();
let stepsMore = 0;

/** @returns stops the worker gracefully */
async function startWorker(version: keyof typeof versions, taskQueue: string): Promise<() => Promise<void>> {
  // A connection can have only one worker per queue.
  const connection = await NativeConnection.connect({ address: temporal.address });
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue,
    workflowBundle: versions[version],
    sinks: workflowSpans,
    // Without sticky queues every task goes to any worker: rare otherwise, but it has to work.
    maxCachedWorkflows: 0,
    activities: {
      readGraceEnd: async (keyId: string) => ends.get(keyId) ?? null,
      retireSecret: async (keyId: string) => ends.delete(keyId),
      oneStepMore: async () => void (stepsMore += 1),
    },
  });
  const run = worker.run();
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      worker.shutdown();
      await run;
      await connection.close();
    })());
  running.push(stop);
  return stop;
}

/** A workflow that waits for a grace to end. @param place the command before which the next version does its step */
const begin = (taskQueue: string, place: number, graceMs: number): Promise<WorkflowHandle> => {
  const keyId = randomUUID();
  ends.set(keyId, new Date(Date.now() + graceMs).toISOString());
  return temporal.client.workflow.start('keyRotation', {
    taskQueue,
    workflowId: `key-rotation/${keyId}#${place}#patched`,
    args: [{ keyId, siteId: randomUUID() }],
  });
};
const several = (taskQueue: string, graceMs: number): Promise<WorkflowHandle[]> =>
  Promise.all([1, 2, 3, 1, 2, 3].map((place) => begin(taskQueue, place, graceMs)));

const statusOf = async (workflow: WorkflowHandle): Promise<string> => (await workflow.describe()).status.name;
const isCompleted = async (workflow: WorkflowHandle): Promise<boolean> =>
  (await statusOf(workflow)) === 'COMPLETED';
const all = async (workflows: readonly WorkflowHandle[]): Promise<void> =>
  eventually(
    'every workflow has ended',
    async () => (await Promise.all(workflows.map(isCompleted))).every(Boolean),
    200,
  );
type Attributes = 'workflowTaskCompletedEventAttributes' | 'workflowTaskFailedEventAttributes';
const hasEvent = async (workflow: WorkflowHandle, attributes: Attributes): Promise<boolean> => {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).some((event) => event[attributes]);
};
/**
 * For a workflow that either version may handle: a failed task is retried after a while, and until then no query is
 * answered.
 */
const isTakenOn = (workflow: WorkflowHandle): Promise<void> =>
  eventually('a worker has completed a task of it', () =>
    hasEvent(workflow, 'workflowTaskCompletedEventAttributes'),
  );
const isRunning = (workflow: WorkflowHandle): Promise<void> =>
  eventually('it is running', () =>
    workflow.query<{ state: string }>('state').then(
      ({ state }) => state !== 'starting',
      () => false,
    ),
  );

test('workflows started before, during and after a deploy all complete', async () => {
  const queue = randomUUID();
  stepsMore = 0;
  const endOld = await startWorker('old', queue);
  const before = await several(queue, 4_000);
  await Promise.all(before.map(isRunning));
  await startWorker('next', queue);
  const amid = await several(queue, 2_000);
  await Promise.all(amid.map(isTakenOn));
  await endOld();
  const after = await several(queue, 500);
  await all([...before, ...amid, ...after]);
  expect(stepsMore).toBeGreaterThanOrEqual(after.length);
});

test('after a rollback, a workflow that has passed the change waits, and continues with the next version that has it', async () => {
  const queue = randomUUID();
  const endNext = await startWorker('next', queue);
  const known = await begin(queue, 1, 3_600_000);
  await isRunning(known);
  await endNext();
  const endOld = await startWorker('old', queue);
  const own = await begin(queue, 1, 500);
  await all([own]);
  for (const keyId of ends.keys()) ends.set(keyId, new Date().toISOString());
  await known.signal('cut');
  await eventually('the old version cannot continue it', () =>
    hasEvent(known, 'workflowTaskFailedEventAttributes'),
  );
  expect(await statusOf(known)).toBe('RUNNING');
  await endOld();
  await startWorker('next', queue);
  await all([known]);
});
