import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import { bundleOptions } from '../../worker/bundle.ts';
import { workflowSpans } from '../../worker/tracing.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';
import { changedOptions } from './histories.ts';

/**
 * A deploy, as processes live through it: the version that runs, and one with an activity more, behind `patched`,
 * at the same task queue (docs/decisions/0029).
 */
let temporal: TestTemporal;
let versions: { readonly old: WorkflowBundle; readonly next: WorkflowBundle };
const running: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  const [old, next] = await Promise.all([
    bundleWorkflowCode({ ...bundleOptions, logger }),
    bundleWorkflowCode({ ...changedOptions, logger }),
  ]);
  versions = { old, next };
  temporal = await startTemporal();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()));
});
afterAll(() => temporal.close());

/** When the grace of each key ends, and how often the step that only the next version has was done for one. */
const ends = new Map<string, string>();
let stepsMore = 0;

/** @returns what ends the worker in good order */
async function startWorker(version: keyof typeof versions, taskQueue: string): Promise<() => Promise<void>> {
  // One connection has one worker for a queue.
  const connection = await NativeConnection.connect({ address: temporal.address });
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue,
    workflowBundle: versions[version],
    sinks: workflowSpans,
    // Every task goes to whoever is free: as seldom as that is otherwise, it is what has to be survived.
    maxCachedWorkflows: 0,
    activities: {
      readGraceEnd: async (keyId: string) => ends.get(keyId) ?? null,
      retireSecret: async () => true,
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

/** A process that waits for a grace to end. @param place the command before which the next version does its step */
const begin = (taskQueue: string, place: number, graceMs: number): Promise<WorkflowHandle> => {
  const keyId = randomUUID();
  ends.set(keyId, new Date(Date.now() + graceMs).toISOString());
  return temporal.client.workflow.start('keyRotation', {
    taskQueue,
    workflowId: `key-rotation/${keyId}#${place}#patched`,
    args: [{ keyId, rotation: 1, siteId: randomUUID() }],
  });
};
const several = (taskQueue: string, graceMs: number): Promise<WorkflowHandle[]> =>
  Promise.all([1, 2, 3, 1, 2, 3].map((place) => begin(taskQueue, place, graceMs)));

const statusOf = async (process: WorkflowHandle): Promise<string> => (await process.describe()).status.name;
const isCompleted = async (process: WorkflowHandle): Promise<boolean> =>
  (await statusOf(process)) === 'COMPLETED';
const all = async (processes: readonly WorkflowHandle[]): Promise<void> =>
  eventually(
    'every process has ended',
    async () => (await Promise.all(processes.map(isCompleted))).every(Boolean),
    200,
  );
type Attributes = 'workflowTaskCompletedEventAttributes' | 'workflowTaskFailedEventAttributes';
const hasEvent = async (process: WorkflowHandle, attributes: Attributes): Promise<boolean> => {
  const { events } = await process.fetchHistory();
  return (events ?? []).some((event) => event[attributes]);
};
/** Of one that either version may have: a task that fails is tried again only after a while, and till then no query is answered. */
const isTakenOn = (process: WorkflowHandle): Promise<void> =>
  eventually('a worker has taken it on', () => hasEvent(process, 'workflowTaskCompletedEventAttributes'));
const isUnderWay = (process: WorkflowHandle): Promise<void> =>
  eventually('it is under way', () =>
    process.query<{ state: string }>('state').then(
      ({ state }) => state !== 'starting',
      () => false,
    ),
  );

test('processes begun before a deploy, in the middle of it and after it all end well', async () => {
  const queue = randomUUID();
  stepsMore = 0;
  const endOld = await startWorker('old', queue);
  const before = await several(queue, 4_000);
  await Promise.all(before.map(isUnderWay));
  await startWorker('next', queue);
  const amid = await several(queue, 2_000);
  await Promise.all(amid.map(isTakenOn));
  await endOld();
  const after = await several(queue, 500);
  await all([...before, ...amid, ...after]);
  expect(stepsMore).toBeGreaterThanOrEqual(after.length);
});

test('rolled back, a process that has gone through the change waits, and goes on with the next version that knows it', async () => {
  const queue = randomUUID();
  const endNext = await startWorker('next', queue);
  const known = await begin(queue, 1, 3_600_000);
  await isUnderWay(known);
  await endNext();
  const endOld = await startWorker('old', queue);
  const own = await begin(queue, 1, 500);
  await all([own]);
  for (const keyId of ends.keys()) ends.set(keyId, new Date().toISOString());
  await known.signal('cut');
  await eventually('the old version cannot go on with it', () =>
    hasEvent(known, 'workflowTaskFailedEventAttributes'),
  );
  expect(await statusOf(known)).toBe('RUNNING');
  await endOld();
  await startWorker('next', queue);
  await all([known]);
});
