import type { Client } from '@temporalio/client';
import type { QueueBacklog } from '../metrics/task-queues.ts';
import { TASK_QUEUE, WEBHOOK_TASK_QUEUE } from '../temporal/names.ts';

/** Temporal's numbers for what a task queue holds. */
const taskTypes = { workflow: 1, activity: 2 } as const;

/** How many tasks of ours wait in Temporal for a worker, and for how long the first has. */
export function readTaskQueues(client: Client): Promise<readonly QueueBacklog[]> {
  const { workflowService, options } = client;
  const queues = [TASK_QUEUE, WEBHOOK_TASK_QUEUE].flatMap((queue) =>
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
