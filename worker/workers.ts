import { Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { createApprovingActivities } from '../activities/approving.ts';
import { createCommentingActivities } from '../activities/commenting.ts';
import { createDeliveryActivities } from '../activities/delivering.ts';
import type { DeliverySession } from '../activities/delivery/session.ts';
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

/** Endpoints that one process can be sending to at once; each holds a workflow task while it does. */
const ENDPOINTS_AT_ONCE = 300;

const shared = {
  shutdownGraceTime: '5 seconds',
  shutdownForceTime: '12 seconds',
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
  const common = { ...shared, connection, namespace, workflowBundle };
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue: TASK_QUEUE,
      activities: {
        ...createPublishingActivities(ports),
        ...createPurgingActivities(ports),
        ...createHousekeepingActivities(ports),
        ...createSweepingActivities(ports),
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
