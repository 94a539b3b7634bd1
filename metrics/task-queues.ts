import { Gauge } from 'prom-client';
import { reading } from './reading.ts';

/** Tasks of one kind that wait in one task queue of Temporal for a worker. */
export interface QueueBacklog {
  readonly queue: string;
  /** workflow or activity */
  readonly type: string;
  readonly tasks: number;
  readonly oldestSeconds: number;
}

const tasks = new Gauge({
  name: 'presswork_task_queue_tasks',
  help: 'Tasks that wait in Temporal for a worker, by queue and kind, about.',
  labelNames: ['task_queue', 'task_type'],
});
const oldest = new Gauge({
  name: 'presswork_task_queue_oldest_seconds',
  help: 'How long the first task of the queue has waited for a worker.',
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
