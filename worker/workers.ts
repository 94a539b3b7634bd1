import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { createApprovingActivities } from '../activities/approving.ts';
import { createCommentingActivities } from '../activities/commenting.ts';
import { createDeliveryActivities } from '../activities/delivering.ts';
import type { DeliverySession } from '../activities/delivery/session.ts';
import { createFinishingActivities } from '../activities/finishing.ts';
import { createHousekeepingActivities } from '../activities/housekeeping.ts';
import type { HousekeepingPorts } from '../activities/housekeeping.ts';
import { createPipelineActivities } from '../activities/pipeline.ts';
import type { PipelinePorts } from '../activities/pipeline.ts';
import { createPublishingActivities } from '../activities/publishing.ts';
import type { PublishingPorts } from '../activities/publishing.ts';
import { createPurgingActivities } from '../activities/purging.ts';
import { createRetiringActivities } from '../activities/retiring.ts';
import { createSweepingActivities } from '../activities/sweeping.ts';
import type { SweepingPorts } from '../activities/sweeping.ts';
import { TASK_QUEUE, WEBHOOK_TASK_QUEUE } from '../temporal/names.ts';
import { traceActivities, workflowSpans } from './tracing.ts';

/** Endpoints that one process can be sending to at once; each holds a workflow task while it does. */
const ENDPOINTS_AT_ONCE = 300;

/** What activities get to finish before they are told to stop, and what everything in hand gets in all. */
const GRACE_MS = 5_000;
export const FORCE_MS = 12_000;

const shared = {
  shutdownGraceTime: GRACE_MS,
  shutdownForceTime: FORCE_MS,
  // When a worker dies, its cached workflows wait this long before another may take their tasks.
  stickyQueueScheduleToStartTimeout: '1 second',
} as const;

/** The workers of this process: one for webhook delivery, one for everything else. */
export async function createWorkers(
  connection: NativeConnection,
  namespace: string,
  ports: PublishingPorts & HousekeepingPorts & SweepingPorts & PipelinePorts,
  session: DeliverySession,
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>,
): Promise<readonly Worker[]> {
  const tracing = { interceptors: { activity: [traceActivities] }, sinks: workflowSpans };
  const common = { ...shared, ...tracing, connection, namespace, workflowBundle };
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUE,
      activities: {
        ...createPublishingActivities(ports),
        ...createPurgingActivities(ports),
        ...createHousekeepingActivities(ports),
        ...createSweepingActivities(ports),
        ...createFinishingActivities(ports),
        ...createRetiringActivities(ports),
        ...createCommentingActivities(ports),
        ...createApprovingActivities(ports),
        ...createPipelineActivities(ports),
      },
    }),
    Worker.create({
      ...common,
      taskQueue: WEBHOOK_TASK_QUEUE,
      activities: createDeliveryActivities(session),
      maxConcurrentWorkflowTaskExecutions: ENDPOINTS_AT_ONCE,
      maxConcurrentLocalActivityExecutions: ENDPOINTS_AT_ONCE,
    }),
  ]);
}

/** Workers that run. */
export interface Crew {
  /** Rejects when one of them cannot go on. */
  readonly broken: Promise<never>;
  /**
   * Has all of them finish what they have in hand.
   *
   * @returns why some did not, such as an activity that took too long, or a Temporal that does not answer: Temporal
   *   gives what they had to others
   */
  end(): Promise<readonly unknown[]>;
}

export function runWorkers(workers: readonly Worker[]): Crew {
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
    async end() {
      ending = true;
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      const ends = await Promise.allSettled(runs);
      return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    },
  };
}
