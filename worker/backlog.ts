import type { Client } from '@temporalio/client';
import type { QueueBacklog } from '../observability/metrics/task-queues.ts';
import {
  CHANNELS_TASK_QUEUE,
  MESSAGES_TASK_QUEUE,
  PIPELINE_TASK_QUEUE,
  PUSH_TASK_QUEUE,
  SCAN_TASK_QUEUE,
  TASK_QUEUE,
  WEBHOOK_TASK_QUEUE,
} from '../workflows/names.ts';

/** Temporal's numbers for the types of task queues. */
const taskTypes = { workflow: 1, activity: 2 } as const;

/** How many of our tasks wait in Temporal for a worker, and the age of the oldest. */
export function readTaskQueues(client: Client): Promise<readonly QueueBacklog[]> {
  const { workflowService, options } = client;
  const queues = [
    TASK_QUEUE,
    WEBHOOK_TASK_QUEUE,
    PIPELINE_TASK_QUEUE,
    PUSH_TASK_QUEUE,
    SCAN_TASK_QUEUE,
    MESSAGES_TASK_QUEUE,
    CHANNELS_TASK_QUEUE,
  ].flatMap((queue) =>
    Object.entries(taskTypes).map(([type, taskQueueType]) => ({ queue, type, taskQueueType })),
  );
  return Promise.all(
    queues.map(async ({ queue, type, taskQueueType }) => {
      const { stats } = await workflowService.describeTaskQueue({
        namespace: options.namespace,
        taskQueue: { name: queue },
        taskQueueType,
        reportStats: true,
      });
      return {
        queue,
        type,
        tasks: Number(stats?.approximateBacklogCount ?? 0),
        oldestSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
      };
    }),
  );
}
