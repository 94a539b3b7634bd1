import { ApplicationFailure } from '@temporalio/common';
import type { ApprovalActivities } from '../../activities/approval.ts';
import type { QueueState, SupportOutcome } from '../../activities/webhook-endpoint.ts';
import type { Advance } from '../../activities/pipeline-run.ts';
import { eventually } from '../support/eventually.ts';
import { sleep } from '../support/temporal.ts';
import { answers, LOCAL_TRIES_FAIL, soon } from './answers.ts';
import { billingScenarios } from './billing-scenarios.ts';
import { autopilotScenarios } from './autopilot-scenarios.ts';
import { bulkScenarios } from './bulk-scenarios.ts';
import { pushScenarios } from './push-scenarios.ts';
import { scanScenarios } from './scan-scenarios.ts';
import { schedulingScenarios } from './scheduling-scenarios.ts';
import { messagesScenarios } from './messages-scenarios.ts';
import { upkeepScenarios } from './upkeep-scenarios.ts';
import { leavingScenarios } from './leaving-scenarios.ts';
import { detailsOf } from './current-details.ts';
import type { Scenario } from './scenario.ts';
import type { ApprovalWorkflowState } from '../../workflows/approval.ts';

const ID = '01990000-0000-7000-8000-0000000000aa';
const siteId = '01990000-0000-7000-8000-000000000003';
/** How long a registration that is in flight at the expiry may still take. */
const IN_FLIGHT_MS = 5 * 60_000;
const inMs = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

const queue: QueueState = {
  exists: true,
  enabled: true,
  paused: false,
  waiting: 0,
  nextAt: null,
  leaseEndsAt: null,
  consecutiveFailures: 0,
  lastError: null,
  siteId,
};

const expiry = soon();
const later = inMs(3_600_000);

/** Whether the endpoint that fails was resumed, after which it is deleted. */
let resumed = false;

/** By the name of its history. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'approval.approved-and-used': {
    workflow: 'approval',
    input: { approvalId: ID, siteId },
    activities: {
      readApproval: answers<Awaited<ReturnType<ApprovalActivities['readApproval']>>>(
        () => ({ status: 'pending', expiresAt: later }),
        () => ({ status: 'approved', expiresAt: later }),
        () => ({ status: 'used', expiresAt: later }),
      ),
    },
    async during(workflow) {
      const is = (wanted: ApprovalWorkflowState): Promise<void> =>
        eventually(`it is ${wanted}`, async () => (await workflow.query('state')) === wanted);
      await is('pending');
      await workflow.signal('decide');
      await is('approved');
      await workflow.signal('use');
    },
  },
  'approval.expired-at-the-second-try': {
    workflow: 'approval',
    input: { approvalId: ID, siteId },
    activities: {
      readApproval: answers<Awaited<ReturnType<ApprovalActivities['readApproval']>>>(
        () => ({ status: 'pending', expiresAt: expiry() }),
        () => ({ status: 'pending', expiresAt: expiry() }),
        () => ({ status: 'expired', expiresAt: expiry() }),
      ),
      expireApproval: answers(
        () => false,
        () => true,
      ),
    },
  },
  'approval.failing-then-used': {
    workflow: 'approval',
    input: { approvalId: ID, siteId },
    activities: {
      readApproval: answers<Awaited<ReturnType<ApprovalActivities['readApproval']>>>(
        ...LOCAL_TRIES_FAIL,
        () => ({ status: 'used', expiresAt: later }),
      ),
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
      readUploadExpiry: answers(() => inMs(1_500 - IN_FLIGHT_MS)),
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
      readUploadExpiry: answers(() => inMs(1_500 - IN_FLIGHT_MS)),
      sweepUpload: answers(() => {}),
    },
    async during(workflow) {
      await sleep(500);
      await workflow.signal('registered');
    },
  },
  'upload-reservation.rejected-and-shown': {
    workflow: 'uploadReservation',
    input: { uploadId: ID, siteId },
    activities: {
      readUploadExpiry: answers(() => inMs(1_500 - IN_FLIGHT_MS)),
      sweepUpload: answers(() => {}),
    },
    async during(workflow) {
      await sleep(500);
      await workflow.signal('rejected');
    },
  },
  'key-rotation.cut-and-retired-at-the-second-try': {
    workflow: 'keyRotation',
    input: { keyId: ID, siteId },
    activities: {
      readGraceEnd: answers<string | null>(
        () => inMs(3_600_000),
        () => inMs(500),
        () => inMs(0),
        () => null,
      ),
      retireSecret: answers(
        () => false,
        () => true,
      ),
    },
    async during(workflow) {
      await sleep(500);
      await workflow.signal('cut');
    },
  },
  'key-rotation.two-graces-of-a-key': {
    workflow: 'keyRotation',
    input: { keyId: ID, siteId },
    activities: {
      readGraceEnd: answers(
        () => inMs(3_600_000),
        () => inMs(500),
        () => inMs(500),
        () => inMs(500),
        () => null,
      ),
      retireSecret: answers(
        () => true,
        () => false,
        () => true,
      ),
    },
    async during(workflow) {
      await sleep(500);
      await workflow.signal('cut');
    },
  },
  ...billingScenarios,
  ...autopilotScenarios,
  ...bulkScenarios,
  ...pushScenarios,
  ...scanScenarios,
  ...schedulingScenarios,
  ...upkeepScenarios,
  ...leavingScenarios,
  ...messagesScenarios,
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
    async during(workflow) {
      await sleep(700);
      await workflow.signal('cancel');
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
    async during(workflow) {
      await sleep(700);
      await workflow.signal('cancel');
    },
  },
  'pipeline-run.waited-for-its-share': {
    workflow: 'pipelineRun',
    input: { runId: ID, siteId },
    activities: {
      beginPipelineRun: answers(() => ({ articles: [{ articleId: ID, cost: 6 }], left: 100 })),
      advanceArticle: answers<Advance>(
        () => ({ kind: 'waits' }),
        () => ({ kind: 'done', costLeft: 5, left: 99 }),
        () => ({ kind: 'waits' }),
        () => ({ kind: 'done', costLeft: 0, left: 94 }),
      ),
      endPipelineRun: answers(() => 'completed'),
    },
  },
  'webhook-endpoint.open-until-deleted': {
    workflow: 'webhookEndpoint',
    input: { endpointId: ID },
    activities: {
      deliverDue: answers<QueueState>(
        () => queue,
        () => ({
          ...queue,
          waiting: 1,
          nextAt: inMs(1_000),
          consecutiveFailures: 1,
          lastError: 'status 500',
        }),
        () => ({ ...queue, consecutiveFailures: 2, lastError: 'status 500' }),
        () => ({ ...queue, paused: true, leaseEndsAt: inMs(500) }),
        () => ({ ...queue, paused: true }),
        () => ({ ...queue, exists: false }),
      ),
    },
    async during(workflow) {
      const is = (wanted: string): Promise<void> =>
        eventually(`it is ${wanted}`, async () => (await detailsOf(workflow)).startsWith(wanted));
      await is('idle');
      await workflow.signal('deliver');
      // A retry that fails as well.
      await is('failed');
      await workflow.signal('deliver');
      await is('paused');
      await eventually('no attempt is in flight', async () => {
        const current = await workflow.query<QueueState>('state');
        return current.leaseEndsAt === null;
      });
      await workflow.signal('deliver');
    },
  },
  'webhook-endpoint.refused-failing-and-replayed-in-parts': {
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
        ...Array.from({ length: 8 }, () => () => {
          throw ApplicationFailure.create({ message: 'The database does not answer' });
        }),
        () => ({ ...queue, exists: !resumed }),
      ),
      redeliverToEndpoint: answers(() => ({ refused: 'redeliver: this event is no longer kept' })),
      replayToEndpoint: answers<SupportOutcome>(
        () => ({ next: { createdAt: inMs(0), eventId: ID, dueAt: inMs(0) } }),
        () => ({}),
      ),
      async pauseEndpoint(_, paused) {
        resumed = !paused;
        return {};
      },
    },
    async during(workflow) {
      // While it fails: a signal from support makes it try again.
      await eventually('it fails', async () => (await detailsOf(workflow)).startsWith('failing'), 500);
      await workflow.signal('redeliver', 'EVENT_ID');
      await workflow.signal('redeliver', ID);
      await workflow.signal('replay', { since: 'nonsense' });
      await workflow.signal('replay', { since: '2026-01-01T00:00:00Z' });
      await workflow.signal('pause');
      await sleep(500);
      await workflow.signal('resume');
    },
  },
};
