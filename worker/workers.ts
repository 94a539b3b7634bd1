import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type {
  ActivityInterceptorsFactory,
  DataConverter,
  NativeConnection,
  WorkerOptions,
} from '@temporalio/worker';
import { createApprovalActivities } from '../activities/approval.ts';
import { createAutopilotActivities } from '../activities/autopilot.ts';
import { createBillingEventActivities } from '../activities/billing-event.ts';
import { createReconciliationActivities } from '../activities/billing-reconciliation.ts';
import { createBulkActivities } from '../activities/bulk.ts';
import { createCachePurgeActivities } from '../activities/cache-purge.ts';
import { createChannelActivities } from '../activities/channel.ts';
import { createCmsPushActivities } from '../activities/cms-push.ts';
import type { DeliverySession } from '../activities/webhook-endpoint/session.ts';
import { createFinishForgottenActivities } from '../activities/housekeeping/finish-forgotten.ts';
import { createHousekeepingActivities } from '../activities/housekeeping.ts';
import { createKeepApprovalsActivities } from '../activities/housekeeping/keep-approvals.ts';
import { createKeepEndpointsActivities } from '../activities/housekeeping/keep-endpoints.ts';
import { createKeepCommentsActivities } from '../activities/housekeeping/keep-comments.ts';
import { createSweepForgottenActivities } from '../activities/housekeeping/sweep-forgotten.ts';
import { createKeyRotationActivities } from '../activities/key-rotation.ts';
import { createMessagesActivities } from '../activities/messages.ts';
import { createObjectRemovalActivities } from '../activities/object-removal.ts';
import { createOrganisationDeletionActivities } from '../activities/organisation-deletion.ts';
import { createOverageActivities } from '../activities/overage.ts';
import { createPendingEditActivities } from '../activities/pending-edit.ts';
import { createPipelineRunActivities, STAGES_AT_ONCE } from '../activities/pipeline-run.ts';
import type { Ports } from '../activities/ports.ts';
import { createRescueActivities } from '../activities/rescue.ts';
import { createSeoScanActivities, STEPS_AT_ONCE } from '../activities/seo-scan.ts';
import { createSiteDeletionActivities } from '../activities/site-deletion.ts';
import { createScheduledPublishActivities } from '../activities/scheduled-publish.ts';
import { createSpamSweepActivities } from '../activities/spam-sweep.ts';
import { createSubscriptionGraceActivities } from '../activities/subscription-grace.ts';
import { createTopUpActivities } from '../activities/top-up.ts';
import { createUploadReservationActivities } from '../activities/upload-reservation.ts';
import { createWebhookEndpointActivities } from '../activities/webhook-endpoint.ts';
import { createAutopilotSchedules } from '../adapters/autopilot-schedules.ts';
import { createSiteWorkflows } from '../adapters/site-workflows.ts';
import type { Database } from '../db/database.ts';
import { autopilotFiring } from '../workflows/autopilot-firing.ts';
import {
  CHANNELS_TASK_QUEUE,
  MESSAGES_TASK_QUEUE,
  PIPELINE_TASK_QUEUE,
  PUSH_TASK_QUEUE,
  SCAN_TASK_QUEUE,
  searchAttributes,
  TASK_QUEUE,
  WEBHOOK_TASK_QUEUE,
} from '../workflows/names.ts';
import { activityDone, activityFailed, expectActivities } from '../observability/metrics/activities.ts';
import type { WorkerSizes } from './sizes.ts';
import { traceActivities, workflowSpans } from './tracing.ts';

/** Slots for workflow tasks. Sending to an endpoint occupies one. */
const slots = (workflows: number) => ({
  maxCachedWorkflows: workflows,
  maxConcurrentWorkflowTaskExecutions: workflows,
  maxConcurrentLocalActivityExecutions: workflows,
});

/** Connections whose workflows a process works on at the same time; those that push are fewer. */
const PUSHES = 100;

/** People to whom a process sends at the same time: each is a connection to the mail server. */
const MAILED_AT_ONCE = 10;

/** Channels whose messages a process works on at the same time; those that are sent to are fewer. */
const CHANNELS = 100;

/** Time for activities to finish before they are cancelled, and for the whole shutdown. */
const GRACE_MS = 5_000;
export const FORCE_MS = 12_000;

const shared = {
  shutdownGraceTime: GRACE_MS,
  shutdownForceTime: FORCE_MS,
  // How long the cached workflows of a dead worker wait before another may take their tasks.
  stickyQueueScheduleToStartTimeout: '1 second',
} as const;

export type Workers = readonly Worker[];

/** Counts attempts by how they ended. */
const countAttempts: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    async execute(input, next) {
      try {
        const result = await next(input);
        activityDone(info.activityType);
        return result;
      } catch (error) {
        activityFailed(info.activityType);
        throw error;
      }
    },
  },
});

/** The workers of this process: for webhook delivery, for pushes, for stages of the pipeline, for scans, for mail, for channels, and for everything else. */
export async function createWorkers(
  connection: NativeConnection,
  namespace: string,
  ports: Omit<Ports, 'articles' | 'pages' | 'workflows' | 'schedules'> & { readonly patientDb: Database },
  session: DeliverySession,
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>,
  sizes: WorkerSizes,
  dataConverter: DataConverter = {},
): Promise<Workers> {
  const tracing = { interceptors: { activity: [traceActivities, countAttempts] }, sinks: workflowSpans };
  // Housekeeping batches need the longer time-outs.
  const patient = { ...ports, db: ports.patientDb };
  const common = { ...shared, ...tracing, connection, namespace, dataConverter };
  const pipeline = createPipelineRunActivities(ports);
  const scans = createSeoScanActivities(patient);
  // The worker's own, which follows a change of its connection.
  const client = (): Client => Context.current().client;
  const workflows = createSiteWorkflows(client, namespace);
  const schedules = createAutopilotSchedules(client, {
    type: autopilotFiring.name,
    taskQueue: TASK_QUEUE,
    siteId: searchAttributes.siteId,
  });
  const activities = {
    ...createScheduledPublishActivities(ports),
    ...createPendingEditActivities(ports),
    ...createAutopilotActivities({ ...ports, schedules }),
    ...createBulkActivities(ports),
    ...createCachePurgeActivities(ports),
    ...createUploadReservationActivities(ports),
    ...createObjectRemovalActivities(ports),
    ...createKeyRotationActivities(ports),
    ...createSiteDeletionActivities({ ...patient, workflows, schedules }),
    ...createOrganisationDeletionActivities(patient),
    ...createApprovalActivities(patient),
    ...createBillingEventActivities(ports),
    ...createTopUpActivities(ports),
    ...createSubscriptionGraceActivities(ports),
    ...createOverageActivities(patient),
    ...createReconciliationActivities(patient),
    ...createSpamSweepActivities(patient),
    ...createRescueActivities(patient),
    ...createHousekeepingActivities(patient),
    ...createKeepApprovalsActivities(patient),
    ...createKeepCommentsActivities(patient),
    ...createKeepEndpointsActivities(patient),
    ...createSweepForgottenActivities(ports),
    ...createFinishForgottenActivities(ports),
    // Start and end of runs and scans.
    ...pipeline,
    ...scans,
  };
  const delivery = createWebhookEndpointActivities(session);
  const pushes = createCmsPushActivities(ports);
  const mails = createMessagesActivities(ports);
  const channels = createChannelActivities(ports);
  expectActivities(Object.keys({ ...activities, ...delivery, ...pushes, ...mails, ...channels }));
  return allOrNone([
    Worker.create({
      ...common,
      ...slots(sizes.workflows),
      maxConcurrentActivityTaskExecutions: sizes.activities,
      workflowBundle,
      taskQueue: TASK_QUEUE,
      activities,
    }),
    Worker.create({
      ...common,
      ...slots(sizes.webhookWorkflows),
      workflowBundle,
      taskQueue: WEBHOOK_TASK_QUEUE,
      activities: delivery,
    }),
    Worker.create({
      ...common,
      ...slots(PUSHES),
      workflowBundle,
      taskQueue: PUSH_TASK_QUEUE,
      activities: pushes,
    }),
    Worker.create({
      ...common,
      taskQueue: PIPELINE_TASK_QUEUE,
      activities: pipeline,
      maxConcurrentActivityTaskExecutions: STAGES_AT_ONCE,
    }),
    Worker.create({
      ...common,
      taskQueue: SCAN_TASK_QUEUE,
      activities: scans,
      maxConcurrentActivityTaskExecutions: STEPS_AT_ONCE,
    }),
    Worker.create({
      ...common,
      taskQueue: MESSAGES_TASK_QUEUE,
      activities: mails,
      maxConcurrentActivityTaskExecutions: MAILED_AT_ONCE,
    }),
    Worker.create({
      ...common,
      taskQueue: CHANNELS_TASK_QUEUE,
      activities: channels,
      maxConcurrentActivityTaskExecutions: CHANNELS,
    }),
  ]);
}

/** If one fails, runs and ends the others: a worker that never ran would keep the connection open. */
async function allOrNone(creations: readonly Promise<Worker>[]): Promise<Workers> {
  const outcomes = await Promise.allSettled(creations);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  const workers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  if (failure === undefined) return workers;
  await Promise.allSettled(workers.map((worker) => worker.runUntil(async () => {})));
  throw failure.reason;
}

/** Running workers. */
export interface Crew {
  /** Rejects if one of them cannot continue. */
  readonly broken: Promise<never>;
  /** Whether all of them take tasks. */
  running(): boolean;
  /** Has them use another connection from now on. */
  reconnect(connection: NativeConnection): void;
  /**
   * Shuts them down after they finish their tasks.
   *
   * @returns why some did not, such as an activity that took too long or a Temporal that does not answer. Temporal
   * gives
   *   their tasks to other workers.
   */
  end(): Promise<readonly unknown[]>;
}

export function runWorkers(workers: Workers): Crew {
  const runs = workers.map((worker) => worker.run());
  let ending = false;
  const broken = new Promise<never>((_, reject) => {
    for (const run of runs)
      run.then(
        () => ending || reject(new Error('A worker ended by itself')),
        (error: unknown) => ending || reject(error as Error),
      );
  });
  return {
    broken,
    running: () => workers.every((worker) => worker.getState() === 'RUNNING'),
    reconnect(connection) {
      for (const worker of workers) worker.connection = connection;
    },
    async end() {
      ending = true;
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      const ends = await Promise.allSettled(runs);
      return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    },
  };
}
