import type { WorkflowHandle } from '@temporalio/client';
import type { EditSchedule } from '../../activities/pending-edit.ts';
import type { ScheduledPublishState } from '../../workflows/scheduled-publish.ts';
import { eventually } from '../support/eventually.ts';
import { sleep } from '../support/temporal.ts';
import { answers, LOCAL_TRIES_FAIL, soon } from './answers.ts';
import type { Scenario } from './scenario.ts';

const ID = '01990000-0000-7000-8000-0000000000aa';
const siteId = '01990000-0000-7000-8000-000000000003';
const inMs = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
const failingDue = soon();
const conflictDue = soon();
const publishes = answers<boolean>(...LOCAL_TRIES_FAIL, () => true);

/** Scenarios of the workflows that publish at a time. */
export const schedulingScenarios: Readonly<Record<string, Scenario>> = {
  'scheduled-publish.failing-then-published': {
    workflow: 'scheduledPublish',
    input: { articleId: ID, siteId },
    activities: {
      readScheduledTime: answers<string | null>(...LOCAL_TRIES_FAIL, soon()),
      publishDueArticle: answers<boolean>(
        ...LOCAL_TRIES_FAIL,
        () => false,
        () => true,
      ),
    },
  },
  'scheduled-publish.published': {
    workflow: 'scheduledPublish',
    input: { articleId: ID, siteId },
    activities: {
      readScheduledTime: answers(soon()),
      publishDueArticle: answers(
        () => false,
        () => false,
        () => true,
      ),
    },
  },
  'scheduled-publish.moved-and-taken-back': {
    workflow: 'scheduledPublish',
    input: { articleId: ID, siteId },
    activities: {
      readScheduledTime: answers<string | null>(
        () => inMs(3_600_000),
        () => inMs(7_200_000),
        () => null,
      ),
    },
    async during(workflow) {
      for (const name of ['reschedule', 'cancel']) {
        // Signals that arrive together would count as one change.
        const { due: before } = await waiting(workflow, null);
        await workflow.signal(name);
        if (name === 'reschedule') await waiting(workflow, before);
      }
    },
  },
  'scheduled-publish.scheduled-anew-while-published': {
    workflow: 'scheduledPublish',
    input: { articleId: ID, siteId },
    activities: {
      readScheduledTime: answers<string | null>(
        () => inMs(3_000),
        () => inMs(3_600_000),
        () => null,
      ),
      async publishDueArticle() {
        const published = await publishes();
        await sleep(1_500);
        return published;
      },
    },
    async during(workflow) {
      let due: string | null = null;
      await eventually('it is being published', async () => {
        const now = await workflow.query<ScheduledPublishState>('state');
        due = now.due;
        return now.state === 'publishing';
      });
      await workflow.signal('reschedule');
      await waiting(workflow, due);
      await workflow.signal('cancel');
    },
  },
  'pending-edit.failing-then-published': {
    workflow: 'pendingEdit',
    input: { articleId: ID, siteId },
    activities: {
      readPendingEdit: answers<EditSchedule | null>(...LOCAL_TRIES_FAIL, () => ({
        due: failingDue(),
        conflict: [],
      })),
      publishPendingEdit: answers<boolean>(
        ...LOCAL_TRIES_FAIL,
        () => false,
        () => true,
      ),
    },
  },
  'pending-edit.held-back-by-a-conflict': {
    workflow: 'pendingEdit',
    input: { articleId: ID, siteId },
    activities: {
      readPendingEdit: answers<EditSchedule | null>(
        () => ({ due: conflictDue(), conflict: [] }),
        () => ({ due: null, conflict: ['title'] }),
      ),
      publishPendingEdit: answers(() => false),
    },
  },
  'pending-edit.moved-and-discarded': {
    workflow: 'pendingEdit',
    input: { articleId: ID, siteId },
    activities: {
      readPendingEdit: answers<EditSchedule | null>(
        () => ({ due: inMs(3_600_000), conflict: [] }),
        () => ({ due: inMs(7_200_000), conflict: [] }),
        () => null,
      ),
    },
    async during(workflow) {
      for (const name of ['reschedule', 'cancel']) {
        const { due: before } = await waiting(workflow, null);
        await workflow.signal(name);
        if (name === 'reschedule') await waiting(workflow, before);
      }
    },
  },
};

/** Waits until the workflow waits for a different time. */
async function waiting(workflow: WorkflowHandle, before: string | null): Promise<ScheduledPublishState> {
  let state: ScheduledPublishState | undefined;
  await eventually('it waits', async () => {
    state = await workflow.query<ScheduledPublishState>('state');
    return state.state === 'waiting' && state.due !== before;
  });
  return state as ScheduledPublishState;
}
