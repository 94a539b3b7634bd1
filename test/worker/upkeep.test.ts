import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { register } from '@prometheus-io/client';
import { chores, TASK_QUEUE } from '../../workflows/names.ts';
import type { Chore } from '../../workflows/names.ts';
import type { UpkeepState } from '../../workflows/upkeep.ts';
import { ensureUpkeep, keepUpkeep, upkeepId } from '../../worker/upkeep.ts';
import { eventually } from '../support/eventually.ts';
import { startTemporal, workflowBundle } from '../support/temporal.ts';
import type { TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;

beforeEach(async () => {
  temporal = await startTemporal();
});
afterEach(() => temporal.close());

const handle = (chore: Chore) => temporal.client.workflow.getHandle(upkeepId(chore));
const stateOf = (chore: Chore) => handle(chore).query<UpkeepState>('state');

/** What upkeep calls. */
const activities = [
  'rescueOverdueSchedules',
  'rescueQueuedRuns',
  'keepEndpoints',
  'sweepSpam',
  'deleteExpiredIdempotencyRecords',
  'deleteIdleRateLimitCounters',
  'forgetOldTexts',
  'deleteOldDeliveries',
  'deleteOldContentRows',
  'deleteOldEvents',
  'keepUsage',
  'deleteExpiredSignIns',
  'keepComments',
  'sweepForgotten',
  'keepApprovals',
  'finishForgotten',
];

/** Runs a worker whose activities count their calls. */
async function withWorker(work: (calls: Record<string, number>) => Promise<void>): Promise<void> {
  const calls: Record<string, number> = {};
  const counted = (name: string) => async () => {
    calls[name] = (calls[name] ?? 0) + 1;
    return name === 'sweepSpam' ? { deleted: 0, more: false } : 0;
  };
  const { connection, namespace } = temporal;
  const worker = await Worker.create({
    connection,
    namespace,
    workflowBundle,
    taskQueue: TASK_QUEUE,
    activities: Object.fromEntries(activities.map((name) => [name, counted(name)])),
  });
  await worker.runUntil(work(calls));
}

test('workers that start together start one workflow for each chore, and no finished run is left behind by the next', async () => {
  await Promise.all([1, 2, 3].map(() => ensureUpkeep(temporal.client)));
  await withWorker(async (calls) => {
    await eventually('each was done', () =>
      ['rescueQueuedRuns', 'keepEndpoints', 'sweepSpam'].every((name) => (calls[name] ?? 0) > 0),
    );
    const { runs } = await stateOf('rescue');
    await handle('rescue').signal('run');
    await eventually('it is done again', async () => (await stateOf('rescue')).runs > runs);
  });
  const all = [];
  for await (const { workflowId, type } of temporal.client.workflow.list()) all.push(`${type} ${workflowId}`);
  expect(all.toSorted()).toEqual(chores.map((chore) => `upkeep ${upkeepId(chore)}`).toSorted());
});

test('an upkeep workflow that was ended is started again, and one that is paused is in the log and in the metrics', async () => {
  await ensureUpkeep(temporal.client);
  await handle('housekeeping').terminate('by mistake');
  await handle('rescue').signal('pause');
  const lines: string[] = [];
  const leaving = new AbortController();
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const paused = async () => (await register.getSingleMetric('presswork_upkeep_paused')?.get())?.values;
  await withWorker(async () => {
    await eventually('it is paused', async () => (await stateOf('rescue')).state === 'paused');
    const keeping = keepUpkeep(() => temporal.client, log, leaving.signal).catch(() => {});
    await eventually('it is noticed', async () =>
      (await paused())?.some(({ labels, value }) => labels['chore'] === 'rescue' && value === 1),
    );
    leaving.abort();
    await keeping;
  });
  expect(lines.join('')).toContain('an upkeep workflow is paused');
  expect((await handle('housekeeping').describe()).status.name).toBe('RUNNING');
});
