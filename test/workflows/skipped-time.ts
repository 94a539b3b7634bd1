import { Client } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createApprovingActivities } from '../../activities/approving.ts';
import { createCommentingActivities } from '../../activities/commenting.ts';
import { createFinishingActivities } from '../../activities/finishing.ts';
import { createHousekeepingActivities } from '../../activities/housekeeping.ts';
import { createPipelineActivities } from '../../activities/pipeline.ts';
import { createPublishingActivities } from '../../activities/publishing.ts';
import { createPurgingActivities } from '../../activities/purging.ts';
import { createRetiringActivities } from '../../activities/retiring.ts';
import { createSweepingActivities } from '../../activities/sweeping.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Writer } from '../../domain/pipeline/writer.ts';
import type { CachePurger } from '../../domain/purge.ts';
import { TASK_QUEUE } from '../../temporal/names.ts';
import { prepareNamespace } from '../../worker/namespace.ts';
import { Relay } from '../../worker/relay.ts';
import { housekeeping } from '../../workflows/housekeeping.ts';
import { offlineWriter } from '../../writer/offline/writer.ts';
import { startApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { environment } from '../support/environment.ts';
import { createTestObjects } from '../support/objects.ts';
import { noSources } from '../support/pipeline.ts';
import type { ObjectStore } from '../../storage/objects.ts';
import { eventually } from '../support/eventually.ts';
import { silent, sleep, workflowsPath } from '../support/temporal.ts';

/** The API, the relay and a worker with the real activities, in a time that can be skipped. */
export interface SkippedTime {
  readonly api: TestApi;
  readonly temporal: TestWorkflowEnvironment;
  /** What the worker's clock says more, or less, than the server's; settable. */
  skewMs: number;
  /** What stands between the activities and the database; settable. */
  throughDatabase: (db: Database) => Database;
  /** Who writes; settable. */
  writer: Writer;
  /** The present, in skipped time. */
  now(): Promise<Date>;
  /** Lets time pass, without waiting for it. */
  pass(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Shows the time that was read from the server last. */
class FollowingClock implements Clock {
  #at = Date.now();

  now(): Date {
    return new Date(this.#at);
  }

  set(at: number): void {
    this.#at = at;
  }
}

export async function startSkippedTime(
  purger: CachePurger | null = null,
  objects: ObjectStore = createTestObjects(),
  log: Logger = silent,
): Promise<SkippedTime> {
  const temporal = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: environment('TIME_SKIPPING_SERVER') } },
  });
  await prepareNamespace(temporal.nativeConnection, 'default', silent);
  const clock = new FollowingClock();
  const workerClock = new FollowingClock();
  const follow = async (): Promise<Date> => {
    const at = await temporal.currentTimeMs();
    clock.set(at);
    workerClock.set(at + world.skewMs);
    return clock.now();
  };
  const api = await startApi({ clock, purger, objects, log });
  const relay = new Relay({ db: api.db, client: temporal.client, clock, log });
  const world: SkippedTime = {
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
      await working;
      await api.close();
      await temporal.teardown();
    },
  };
  /** Each activity sees the time at which it runs. */
  const following = <Activities extends object>(make: (db: Database) => Activities): Activities =>
    Object.fromEntries(
      Object.keys(make(api.db)).map((name) => [
        name,
        async (...args: unknown[]) => {
          await follow();
          const made = make(world.throughDatabase(api.db)) as Record<string, (...args: unknown[]) => unknown>;
          return made[name]?.(...args);
        },
      ]),
    ) as Activities;
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowsPath,
    activities: {
      ...following((db) => createPublishingActivities({ db, clock: workerClock, purger })),
      ...following((db) => createPurgingActivities({ db, purger })),
      ...following((db) => createSweepingActivities({ db, objects, clock: workerClock, log })),
      ...following((db) => createFinishingActivities({ db, clock: workerClock, log, purger })),
      ...following((db) => createRetiringActivities({ db, clock: workerClock })),
      ...following((db) => createApprovingActivities({ db, clock: workerClock, log })),
      ...following((db) => createHousekeepingActivities({ db, clock: workerClock, log })),
      ...following((db) => createCommentingActivities({ db, clock: workerClock, log })),
      ...following((db) => {
        const { writer } = world;
        return createPipelineActivities({ db, clock: workerClock, log, writer, sources: noSources });
      }),
    },
  });
  const working = worker.run();
  const relaying = relay.run();
  const ticking = setInterval(() => void follow().catch(() => {}), 250);
  await follow();
  return world;
}

/**
 * Terminates a process that waits for something. In the middle of a task, the server that skips time would hold it for
 * good, and no time would pass any more.
 */
export async function terminateAtRest(process: WorkflowHandle): Promise<void> {
  await eventually('the process waits', async () => {
    const { events } = await process.fetchHistory();
    const task = events?.findLast(
      (event) =>
        event.workflowTaskScheduledEventAttributes ??
        event.workflowTaskStartedEventAttributes ??
        event.workflowTaskCompletedEventAttributes,
    );
    const { pendingActivities } = (await process.describe()).raw;
    // Also of one that is tried again later, this server says that it has been started.
    const acts = pendingActivities?.some(
      ({ lastStartedTime, lastAttemptCompleteTime }) =>
        !lastAttemptCompleteTime || millisecondsOf(lastAttemptCompleteTime) < millisecondsOf(lastStartedTime),
    );
    return Boolean(task?.workflowTaskCompletedEventAttributes) && !acts;
  });
  await process.terminate();
}

/** Of a time in a message of the server. */
const millisecondsOf = (time: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6;

let cleanings = 0;

/**
 * Runs housekeeping once. Its client does not skip time while it waits, so that it does not run again by its
 * Schedule's time; where an activity of it is to be tried again, the time until then is passed.
 */
export async function cleanOnce(world: SkippedTime): ReturnType<typeof housekeeping> {
  const client = new Client({ connection: world.temporal.connection });
  const process = await client.workflow.start(housekeeping, {
    taskQueue: TASK_QUEUE,
    workflowId: `housekeeping-${(cleanings += 1)}`,
  });
  const result = process.result().then((cleaned) => ({ cleaned }));
  for (;;) {
    const outcome = await Promise.race([result, sleep(1_000)]);
    if (outcome !== undefined) return outcome.cleaned;
    await world.pass(1_000);
  }
}
