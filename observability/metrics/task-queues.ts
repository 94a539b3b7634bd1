import { Gauge } from '@prometheus-io/client';
import { reading } from './reading.ts';

/** The tasks of one type that wait in a task queue of Temporal. */
export interface QueueBacklog {
  readonly queue: string;
  /** workflow or activity */
  readonly type: string;
  readonly tasks: number;
  readonly oldestSeconds: number;
}

const tasks = new Gauge({
  name: 'presswork_task_queue_tasks',
  help: 'Approximate number of tasks that wait in Temporal for a worker, by task_queue and task_type.',
  labelNames: ['task_queue', 'task_type'],
});
const oldest = new Gauge({
  name: 'presswork_task_queue_oldest_seconds',
  help: 'Age of the oldest task in the queue, by task_queue and task_type.',
  labelNames: ['task_queue', 'task_type'],
});

export const taskQueueReading = (read: () => Promise<readonly QueueBacklog[]>): (() => Promise<void>) =>
  reading({
    name: 'task_queues',
    read,
    show(found) {
      for (const { queue, type, ...backlog } of found) {
        tasks.set({ task_queue: queue, task_type: type }, backlog.tasks);
        oldest.set({ task_queue: queue, task_type: type }, backlog.oldestSeconds);
      }
    },
    hide() {
      tasks.reset();
      oldest.reset();
    },
  });
