import { ApplicationFailure } from '@temporalio/common';
import type { PushQueueState } from '../../activities/cms-push.ts';
import { eventually } from '../support/eventually.ts';
import { answers } from './answers.ts';
import { detailsOf } from './current-details.ts';
import type { Scenario } from './scenario.ts';

const connectionId = '01990000-0000-7000-8000-0000000000aa';
const siteId = '01990000-0000-7000-8000-000000000003';
const queue: PushQueueState = {
  exists: true,
  enabled: true,
  waiting: 0,
  nextAt: null,
  lastError: null,
  siteId,
};
const inMs = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
const gone = (): PushQueueState => ({ ...queue, exists: false, enabled: false, siteId: null });

/** Scenarios of pushes. */
export const pushScenarios: Readonly<Record<string, Scenario>> = {
  'cms-push.retried-failing-then-deleted': {
    workflow: 'cmsPush',
    input: { connectionId, siteId },
    activities: {
      pushDue: answers<PushQueueState>(
        () => ({ ...queue, waiting: 2, nextAt: inMs(500), lastError: 'The receiver answered 500.' }),
        ...Array.from({ length: 8 }, () => () => {
          throw ApplicationFailure.create({ message: 'The database does not answer' });
        }),
        () => ({ ...queue, waiting: 1, nextAt: inMs(500) }),
        () => queue,
        gone,
      ),
    },
    async during(workflow) {
      await eventually('it fails', async () => (await detailsOf(workflow)).startsWith('failing'), 500);
      await workflow.signal('push');
      await eventually('it is idle', async () => (await detailsOf(workflow)).startsWith('idle'), 500);
      await workflow.signal('push');
    },
  },
  'cms-push.disabled-then-idle': {
    workflow: 'cmsPush',
    input: { connectionId, siteId },
    activities: {
      pushDue: answers<PushQueueState>(
        () => ({ ...queue, enabled: false }),
        () => ({ ...queue, lastError: 'The receiver answered 500.' }),
      ),
    },
    async during(workflow) {
      await eventually('it is disabled', async () => (await detailsOf(workflow)).startsWith('disabled'), 500);
      await workflow.signal('push');
    },
  },
};
