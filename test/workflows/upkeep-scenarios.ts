import { ApplicationFailure } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';
import type { UpkeepState } from '../../workflows/upkeep.ts';
import { eventually } from '../support/eventually.ts';
import { answers } from './answers.ts';
import type { Scenario } from './scenario.ts';

/** Runs an upkeep workflow again, and waits until it has. */
const runAgain = async (workflow: WorkflowHandle, runs: number): Promise<void> => {
  await workflow.signal('run');
  await ran(workflow, runs);
};

const ran = (workflow: WorkflowHandle, runs: number): Promise<void> =>
  eventually(`it has run ${runs} times`, async () => {
    const current = await workflow.query<UpkeepState>('state');
    return current.runs === runs && current.state === 'waiting';
  });

const fails = (): never => {
  throw ApplicationFailure.create({ message: 'The database does not answer' });
};

/** Scenarios of the product's upkeep. */
export const upkeepScenarios: Readonly<Record<string, Scenario>> = {
  'upkeep.housekeeping-with-a-failed-step': {
    workflow: 'upkeep',
    input: { chore: 'housekeeping' },
    endless: true,
    activities: {
      deleteExpiredIdempotencyRecords: answers(() => 0),
      deleteIdleRateLimitCounters: answers(() => 3),
      forgetOldTexts: answers(() => 0),
      deleteOldDeliveries: answers<number>(() => {
        throw ApplicationFailure.create({ message: 'A statement took too long' });
      }),
      deleteOldContentRows: answers(() => 0),
      deleteOldEvents: answers(() => 0),
      keepUsage: answers(() => 0),
      deleteExpiredSignIns: answers(() => 2),
      keepComments: answers(() => 1),
      sweepForgotten: answers(() => 1),
      keepApprovals: answers(() => 1),
      finishForgotten: answers(() => 1),
    },
    during: (workflow) => ran(workflow, 1),
  },
  'upkeep.endpoints-failed-paused-and-resumed': {
    workflow: 'upkeep',
    input: { chore: 'endpoints' },
    endless: true,
    activities: {
      keepEndpoints: answers<number>(
        fails,
        fails,
        fails,
        () => 2,
        () => 0,
      ),
    },
    async during(workflow) {
      await ran(workflow, 1);
      await runAgain(workflow, 2);
      await workflow.signal('pause');
      await eventually('it is paused', async () => {
        const current = await workflow.query<UpkeepState>('state');
        return current.state === 'paused';
      });
      await workflow.signal('run');
      await workflow.signal('resume');
      await ran(workflow, 3);
    },
  },
  'upkeep.rescue-twice': {
    workflow: 'upkeep',
    input: { chore: 'rescue' },
    endless: true,
    activities: { rescueOverdueSchedules: answers(() => 1), rescueQueuedRuns: answers(fails, () => 0) },
    async during(workflow) {
      await ran(workflow, 1);
      await runAgain(workflow, 2);
    },
  },
  'upkeep.spam-sweep-in-two-parts': {
    workflow: 'upkeep',
    input: { chore: 'spam-sweep' },
    endless: true,
    activities: {
      sweepSpam: answers<{ deleted: number; more: boolean }>(
        fails,
        () => ({ deleted: 10_000, more: true }),
        () => ({ deleted: 7, more: false }),
      ),
    },
    async during(workflow) {
      await ran(workflow, 1);
      await runAgain(workflow, 2);
    },
  },
  'upkeep.housekeeping-twice': {
    workflow: 'upkeep',
    input: { chore: 'housekeeping' },
    endless: true,
    activities: {
      deleteExpiredIdempotencyRecords: answers(() => 0),
      deleteIdleRateLimitCounters: answers(() => 0),
      forgetOldTexts: answers(() => 0),
      deleteOldDeliveries: answers(() => 0),
      deleteOldContentRows: answers(() => 0),
      deleteOldEvents: answers(() => 0),
      keepUsage: answers(() => 0),
      deleteExpiredSignIns: answers(() => 0),
      keepComments: answers(() => 0),
      sweepForgotten: answers(() => 0),
      keepApprovals: answers(() => 0),
      finishForgotten: answers(() => 0),
    },
    async during(workflow) {
      await ran(workflow, 1);
      await runAgain(workflow, 2);
    },
  },
};
