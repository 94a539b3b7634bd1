import { ApplicationFailure } from '@temporalio/common';
import type { BulkProgress } from '../../activities/bulk.ts';
import { eventually } from '../support/eventually.ts';
import { answers } from './answers.ts';
import type { Scenario } from './scenario.ts';

const jobId = '01990000-0000-7000-8000-0000000000aa';
const siteId = '01990000-0000-7000-8000-000000000003';
const fails = (): BulkProgress => {
  throw ApplicationFailure.create({ message: 'The database does not answer' });
};

/** Scenarios of bulk jobs. */
export const bulkScenarios: Readonly<Record<string, Scenario>> = {
  'bulk.queued-failing-then-completed': {
    workflow: 'bulk',
    input: { jobId, siteId },
    activities: {
      applyBulkItems: answers<BulkProgress>(
        () => ({ state: 'queued', waiting: 120, done: 0, failed: 0 }),
        fails,
        () => ({ state: 'running', waiting: 20, done: 98, failed: 2 }),
        () => ({ state: 'completed', waiting: 0, done: 118, failed: 2 }),
      ),
    },
    async during(workflow) {
      await eventually('it is queued', async () => (await workflow.query('state')) === 'queued');
      await workflow.signal('wake');
    },
  },
  'bulk.cancelled': {
    workflow: 'bulk',
    input: { jobId, siteId },
    activities: {
      applyBulkItems: answers<BulkProgress>(
        () => ({ state: 'running', waiting: 50, done: 50, failed: 0 }),
        () => ({ state: 'cancelled', waiting: 50, done: 50, failed: 0 }),
      ),
    },
  },
};
