import { ApplicationFailure } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';
import type { ApprovingActivities } from '../../activities/approving.ts';
import type { CommentingActivities } from '../../activities/commenting.ts';
import type { DeliveryActivities, QueueState } from '../../activities/delivering.ts';
import type { FinishingActivities } from '../../activities/finishing.ts';
import type { HousekeepingActivities } from '../../activities/housekeeping.ts';
import type { Advance, PipelineActivities } from '../../activities/pipeline.ts';
import type { PublishingActivities } from '../../activities/publishing.ts';
import type { PurgingActivities } from '../../activities/purging.ts';
import type { RetiringActivities } from '../../activities/retiring.ts';
import type { SweepingActivities } from '../../activities/sweeping.ts';
import { eventually } from '../support/eventually.ts';
import { sleep } from '../support/temporal.ts';
import type { ApprovalProcessState } from '../../workflows/approval.ts';
import type { ScheduledPublishState } from '../../workflows/scheduled-publish.ts';

type Activities = PublishingActivities &
  PurgingActivities &
  HousekeepingActivities &
  FinishingActivities &
  SweepingActivities &
  RetiringActivities &
  CommentingActivities &
  ApprovingActivities &
  PipelineActivities &
  DeliveryActivities;

/** One life of a process, with activities that say what it is to live through. */
export interface Life {
  readonly workflow: string;
  readonly input?: object;
  readonly activities: Partial<Activities>;
  /** What happens to it from outside. */
  readonly during?: (process: WorkflowHandle) => Promise<void>;
}

const ID = '01990000-0000-7000-8000-0000000000aa';
const siteId = '01990000-0000-7000-8000-000000000003';
/** What registrations get to end after the expiry. */
const UNDER_WAY_MS = 5 * 60_000;
const inMs = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** Gives one answer after the other, the last one for good. */
function answers<T>(...given: readonly (() => T)[]): () => Promise<T> {
  let calls = 0;
  return async () => {
    const answer = given[Math.min(calls, given.length - 1)];
    calls += 1;
    if (answer === undefined) throw new Error('An activity needs an answer');
    return answer();
  };
}

const queue: QueueState = {
  exists: true,
  enabled: true,
  paused: false,
  waiting: 0,
  nextAt: null,
  consecutiveFailures: 0,
  lastError: null,
};

const soon = inMs(4_000);
const later = inMs(3_600_000);

/** By the name of its history. */
export const lives: Readonly<Record<string, Life>> = {
  'approval.approved-and-used': {
    workflow: 'approval',
    input: { approvalId: ID, siteId },
    activities: {
      readApproval: answers<Awaited<ReturnType<ApprovingActivities['readApproval']>>>(
        () => ({ status: 'pending', expiresAt: later }),
        () => ({ status: 'approved', expiresAt: later }),
        () => ({ status: 'used', expiresAt: later }),
      ),
    },
    async during(process) {
      const is = (wanted: ApprovalProcessState): Promise<void> =>
        eventually(`it is ${wanted}`, async () => (await process.query('state')) === wanted);
      await is('pending');
      await process.signal('decide');
      await is('approved');
      await process.signal('use');
    },
  },
  'approval.expired-at-the-second-try': {
    workflow: 'approval',
    input: { approvalId: ID, siteId },
    activities: {
      readApproval: answers<Awaited<ReturnType<ApprovingActivities['readApproval']>>>(
        () => ({ status: 'pending', expiresAt: soon }),
        () => ({ status: 'pending', expiresAt: soon }),
        () => ({ status: 'expired', expiresAt: soon }),
      ),
      expireApproval: answers(
        () => false,
        () => true,
      ),
    },
  },
  'scheduled-publish.published': {
    workflow: 'scheduledPublish',
    input: { articleId: ID, siteId },
    activities: {
      readScheduledTime: answers(
        (
          (due: string) => () =>
            due
        )(inMs(4_000)),
      ),
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
    async during(process) {
      for (const name of ['reschedule', 'cancel']) {
        // Signals that came together would be one change.
        const { due: before } = await waiting(process, null);
        await process.signal(name);
        if (name === 'reschedule') await waiting(process, before);
      }
    },
  },
  'cache-purge.told-at-the-second-try': {
    workflow: 'cachePurge',
    input: { purgeId: ID, siteId },
    activities: {
      purgeCache: answers(
        () => {
          throw ApplicationFailure.create({ message: 'The cache did not accept the purge' });
        },
        () => {},
      ),
    },
  },
  'object-removal.removed': {
    workflow: 'objectRemoval',
    input: { objectId: ID, siteId },
    activities: { removeObject: answers(() => {}) },
  },
  'upload-reservation.never-registered': {
    workflow: 'uploadReservation',
    input: { uploadId: ID, siteId },
    activities: {
      readUploadExpiry: answers(() => inMs(1_500 - UNDER_WAY_MS)),
      sweepUpload: answers(
        () => {
          throw ApplicationFailure.create({ message: 'Storage does not answer' });
        },
        () => {},
      ),
    },
  },
  'upload-reservation.registered-and-shown': {
    workflow: 'uploadReservation',
    input: { uploadId: ID, siteId },
    activities: {
      readUploadExpiry: answers(() => inMs(1_500 - UNDER_WAY_MS)),
      sweepUpload: answers(() => {}),
    },
    async during(process) {
      await sleep(500);
      await process.signal('registered');
    },
  },
  'key-rotation.cut-and-retired-at-the-second-try': {
    workflow: 'keyRotation',
    input: { keyId: ID, rotation: 1, siteId },
    activities: {
      readGraceEnd: answers(
        () => inMs(3_600_000),
        () => inMs(500),
      ),
      retireSecret: answers(
        () => false,
        () => true,
      ),
    },
    async during(process) {
      await sleep(500);
      await process.signal('cut');
    },
  },
  'housekeeping.forgotten-finished': {
    workflow: 'housekeeping',
    activities: {
      rescueOverdueSchedules: answers(() => 0),
      deleteExpiredIdempotencyRecords: answers(() => 0),
      deleteIdleRateLimitCounters: answers(() => 0),
      deleteOldEvents: answers(() => 0),
      keepUsage: answers(() => 0),
      deleteExpiredSignIns: answers(() => 2),
      keepComments: answers(() => 1),
      rescueQueuedRuns: answers(() => 0),
      sweepForgotten: answers(() => 1),
      keepApprovals: answers(() => 1),
      finishForgotten: answers(() => 1),
    },
  },
  'spam-sweep.in-two-parts': {
    workflow: 'spamSweep',
    activities: {
      sweepSpam: answers<{ deleted: number; more: boolean }>(
        () => {
          throw ApplicationFailure.create({ message: 'The database does not answer' });
        },
        () => ({ deleted: 10_000, more: true }),
        () => ({ deleted: 7, more: false }),
      ),
    },
  },
  'pipeline-run.one-failed-then-out-of-credits': {
    workflow: 'pipelineRun',
    input: { runId: ID, siteId },
    activities: {
      beginPipelineRun: answers(() => ({
        articles: ['b', 'c', 'd'].map((letter) => ({ articleId: ID.replace(/a$/, letter), cost: 19 })),
        left: 40,
      })),
      advanceArticle: answers<Advance>(
        () => ({ kind: 'done', costLeft: 18, left: 38 }),
        () => {
          throw ApplicationFailure.create({ message: 'it answered 400.', nonRetryable: true });
        },
        () => ({ kind: 'done', costLeft: 0, left: 20 }),
        () => ({ kind: 'stopped', reason: 'insufficient_credits' }),
      ),
      failArticle: answers(() => {}),
      endPipelineRun: answers(() => 'partial'),
    },
  },
  'pipeline-run.cancelled': {
    workflow: 'pipelineRun',
    input: { runId: ID, siteId },
    activities: {
      beginPipelineRun: answers(() => ({ articles: [{ articleId: ID, cost: 19 }], left: 100 })),
      advanceArticle: async () => {
        await sleep(1_500);
        return { kind: 'stopped', reason: 'cancelled' };
      },
      endPipelineRun: answers(() => 'cancelled'),
    },
    async during(process) {
      await sleep(700);
      await process.signal('cancel');
    },
  },
  'pipeline-run.ended-by-signal': {
    workflow: 'pipelineRun',
    input: { runId: ID, siteId },
    activities: {
      beginPipelineRun: answers(() => ({ articles: [{ articleId: ID, cost: 19 }], left: 100 })),
      advanceArticle: async () => {
        await sleep(1_500);
        return { kind: 'done', costLeft: 18, left: 99 };
      },
      endPipelineRun: answers(() => 'cancelled'),
    },
    async during(process) {
      await sleep(700);
      await process.signal('cancel');
    },
  },
  'webhook-endpoint.retried-paused-and-idle': {
    workflow: 'webhookEndpoint',
    input: { endpointId: ID },
    activities: {
      deliverDue: answers<QueueState>(
        () => ({
          ...queue,
          waiting: 1,
          nextAt: inMs(1_000),
          consecutiveFailures: 1,
          lastError: 'status 500',
        }),
        () => queue,
      ),
      redeliverToEndpoint: answers(() => {}),
      replayToEndpoint: answers(() => {}),
      pauseEndpoint: answers(() => {}),
    },
    async during(process) {
      await sleep(2_000);
      await process.signal('deliver');
      await process.signal('redeliver', ID);
      await process.signal('replay', { since: '2026-01-01T00:00:00Z' });
      await process.signal('pause');
      await sleep(500);
      await process.signal('resume');
    },
  },
};

/** Until the process waits for another time than it did. */
async function waiting(process: WorkflowHandle, before: string | null): Promise<ScheduledPublishState> {
  let state: ScheduledPublishState | undefined;
  await eventually('it waits', async () => {
    state = await process.query<ScheduledPublishState>('state');
    return state.state === 'waiting' && state.due !== before;
  });
  return state as ScheduledPublishState;
}
