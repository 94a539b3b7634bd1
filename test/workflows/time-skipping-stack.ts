import { Client } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createApprovalActivities } from '../../activities/approval.ts';
import { createSpamSweepActivities } from '../../activities/spam-sweep.ts';
import { createFinishForgottenActivities } from '../../activities/housekeeping/finish-forgotten.ts';
import { createKeepApprovalsActivities } from '../../activities/housekeeping/keep-approvals.ts';
import { createKeepCommentsActivities } from '../../activities/housekeeping/keep-comments.ts';
import { createMessagesActivities } from '../../activities/messages.ts';
import { createObjectRemovalActivities } from '../../activities/object-removal.ts';
import { createSubscriptionGraceActivities } from '../../activities/subscription-grace.ts';
import { createUploadReservationActivities } from '../../activities/upload-reservation.ts';
import { createHousekeepingActivities } from '../../activities/housekeeping.ts';
import { createRescueActivities } from '../../activities/rescue.ts';
import { createPendingEditActivities } from '../../activities/pending-edit.ts';
import { createPipelineRunActivities } from '../../activities/pipeline-run.ts';
import { createScheduledPublishActivities } from '../../activities/scheduled-publish.ts';
import { DueArticles } from '../../activities/scheduled-publish/publish-all-due.ts';
import { createCachePurgeActivities } from '../../activities/cache-purge.ts';
import { createKeyRotationActivities } from '../../activities/key-rotation.ts';
import { createSweepForgottenActivities } from '../../activities/housekeeping/sweep-forgotten.ts';
import type { Database } from '../../db/database.ts';
import { createSecretBox } from '../../domain/kernel/secret-box.ts';
import type { Clock } from '../../domain/kernel/clock.ts';
import type { Writer } from '../../domain/pipeline/writer.ts';
import type { CachePurger } from '../../domain/purge/purge.ts';
import { MESSAGES_TASK_QUEUE, PIPELINE_TASK_QUEUE, TASK_QUEUE } from '../../workflows/names.ts';
import type { Chore } from '../../workflows/names.ts';
import { prepareNamespace } from '../../worker/namespace.ts';
import { Relay } from '../../worker/relay.ts';
import type { housekeeping } from '../../workflows/housekeeping.ts';
import type { rescue } from '../../workflows/rescue.ts';
import { upkeep } from '../../workflows/upkeep.ts';
import type { UpkeepState } from '../../workflows/upkeep.ts';
import { createJobProcesses } from '../../adapters/untrusted-text/processes.ts';
import { offlineWriter } from '../../adapters/writer/offline/writer.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { createTestObjects } from '../support/objects.ts';
import { noSources } from '../support/pipeline.ts';
import type { ObjectStore } from '../../adapters/storage/objects.ts';
import { eventually } from '../support/eventually.ts';
import { silent, sleep, workflowBundle } from '../support/temporal.ts';
import { startTimeSkipping } from '../support/time-skipping.ts';

/** The API, the relay and a worker with the real activities, on a Temporal server that skips time. */
export interface TimeSkippingStack {
  readonly api: TestApi;
  readonly temporal: TestWorkflowEnvironment;
  /** How far the worker's clock is ahead of the server's (below zero: behind); settable. */
  skewMs: number;
  /** Wraps the database for the activities; settable. */
  throughDatabase: (db: Database) => Database;
  /** Settable. */
  writer: Writer;
  /** The time on the Temporal server. */
  now(): Promise<Date>;
  /** Skips time. */
  pass(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Returns the time last read from the server. */
class FollowingClock implements Clock {
  #at = Date.now();

  now(): Date {
    return new Date(this.#at);
  }

  set(at: number): void {
    this.#at = at;
  }
}

export async function startTimeSkippingStack(
  purger: CachePurger | null = null,
  objects: ObjectStore = createTestObjects(),
  log: Logger = silent,
): Promise<TimeSkippingStack> {
  const temporal = await startTimeSkipping();
  await prepareNamespace(temporal.nativeConnection, 'default', silent);
  const clock = new FollowingClock();
  const workerClock = new FollowingClock();
  const follow = async (): Promise<Date> => {
    const at = await temporal.currentTimeMs();
    clock.set(at);
    workerClock.set(at + stack.skewMs);
    return clock.now();
  };
  const api = await startApi({ clock, purger, objects, log });
  const relay = new Relay({ db: api.db, client: temporal.client, clock, log });
  const stack: TimeSkippingStack = {
    temporal,
    skewMs: 0,
    throughDatabase: (db) => db,
    writer: offlineWriter,
    api: {
      ...api,
      async request(method, path, options) {
        await follow();
        const answer = await api.request(method, path, options);
        relay.wake();
        return answer;
      },
    },
    now: () => follow(),
    async pass(milliseconds) {
      await temporal.sleep(milliseconds);
      await follow();
    },
    async close() {
      clearInterval(ticking);
      relay.stop();
      await relaying;
      worker.shutdown();
      stages.shutdown();
      mails.shutdown();
      await working;
      jobProcesses.close();
      await api.close();
      await temporal.teardown();
    },
  };
  /** Sets the clock to the server's time before each activity runs. */
  const following = <Activities extends object>(make: (db: Database) => Activities): Activities =>
    Object.fromEntries(
      Object.keys(make(api.db)).map((name) => [
        name,
        async (...args: unknown[]) => {
          await follow();
          const made = make(stack.throughDatabase(api.db)) as Record<string, (...args: unknown[]) => unknown>;
          return made[name]?.(...args);
        },
      ]),
    ) as Activities;
  const jobProcesses = createJobProcesses();
  const pipeline = following((db) => {
    const { writer } = stack;
    return createPipelineRunActivities({
      db,
      clock: workerClock,
      log,
      writer,
      sources: noSources,
      jobProcesses,
    });
  });
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowBundle,
    activities: {
      ...following((db) => {
        const ports = { db, clock: workerClock, log: silent, purger };
        return createScheduledPublishActivities({ ...ports, dueArticles: new DueArticles(ports) });
      }),
      ...following((db) => createPendingEditActivities({ db, clock: workerClock, purger })),
      ...following((db) => createCachePurgeActivities({ db, purger })),
      ...following((db) => createUploadReservationActivities({ db, objects })),
      ...following((db) => createObjectRemovalActivities({ db, objects })),
      ...following((db) => createSweepForgottenActivities({ db, objects, clock: workerClock, log })),
      ...following((db) => createFinishForgottenActivities({ db, clock: workerClock, log, purger })),
      ...following((db) => createKeyRotationActivities({ db, clock: workerClock })),
      ...following((db) => createApprovalActivities({ db, clock: workerClock })),
      ...following((db) => createSubscriptionGraceActivities({ db, clock: workerClock })),
      ...following((db) => createKeepApprovalsActivities({ db, clock: workerClock, log })),
      ...following((db) => createRescueActivities({ db, clock: workerClock, log })),
      ...following((db) => createHousekeepingActivities({ db, clock: workerClock, log })),
      ...following((db) => createSpamSweepActivities({ db, clock: workerClock })),
      ...following((db) => createKeepCommentsActivities({ db, clock: workerClock, log })),
      ...pipeline,
    },
  });
  const stages = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: PIPELINE_TASK_QUEUE,
    activities: pipeline,
  });
  // Without a mail server. An activity that nobody takes would hold the time up.
  const mails = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: MESSAGES_TASK_QUEUE,
    activities: following((db) => {
      const ports = { db, clock: workerClock, log, box: createSecretBox(Buffer.alloc(32)), mailer: null };
      return createMessagesActivities({ ...ports, retryDelays: [], publicUrl: api.origin });
    }),
  });
  const working = Promise.all([worker.run(), stages.run(), mails.run()]);
  const relaying = relay.run();
  const ticking = setInterval(() => void follow().catch(() => {}), 250);
  await follow();
  return stack;
}

/**
 * Terminates a workflow that is waiting. In the middle of a task, the time-skipping server would never finish
 * terminating it, and time would stand still.
 */
export async function terminateAtRest(workflow: WorkflowHandle): Promise<void> {
  await eventually('the workflow waits', async () => {
    const { events } = await workflow.fetchHistory();
    const task = events?.findLast(
      (event) =>
        event.workflowTaskScheduledEventAttributes ??
        event.workflowTaskStartedEventAttributes ??
        event.workflowTaskCompletedEventAttributes,
    );
    const { pendingActivities } = (await workflow.describe()).raw;
    // This server also reports an activity that waits for its retry as started.
    const acts = pendingActivities?.some(
      ({ lastStartedTime, lastAttemptCompleteTime }) =>
        !lastAttemptCompleteTime || millisecondsOf(lastAttemptCompleteTime) < millisecondsOf(lastStartedTime),
    );
    return Boolean(task?.workflowTaskCompletedEventAttributes) && !acts;
  });
  await workflow.terminate();
}

/** The milliseconds of a protobuf timestamp. */
const millisecondsOf = (time: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6;

let runs = 0;

/**
 * Has an upkeep workflow of its own do a chore once. Time is not skipped while it works; while an activity waits for its
 * retry, it is skipped a second at a time.
 *
 * @returns what it did
 */
export async function doOnce<Did>(stack: TimeSkippingStack, chore: Chore): Promise<Did> {
  const client = new Client({ connection: stack.temporal.connection });
  const handle = await client.workflow.start(upkeep, {
    taskQueue: TASK_QUEUE,
    workflowId: `once-${(runs += 1)}`,
    args: [{ chore }],
  });
  let state = await handle.query<UpkeepState>('state');
  for (let looks = 1; state.runs === 0; looks += 1) {
    await sleep(50);
    if (looks % 20 === 0) await stack.pass(1_000);
    state = await handle.query<UpkeepState>('state');
  }
  await terminateAtRest(handle);
  return state.did as Did;
}

export const cleanOnce = (stack: TimeSkippingStack): Promise<Awaited<ReturnType<typeof housekeeping>>> =>
  doOnce(stack, 'housekeeping');

export const rescueOnce = (stack: TimeSkippingStack): ReturnType<typeof rescue> => doOnce(stack, 'rescue');
