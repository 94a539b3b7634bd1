import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../temporal/names.ts';
import { housekeeping } from '../workflows/housekeeping.ts';
import { spamSweep } from '../workflows/spam-sweep.ts';

/** What runs from time to time. The id is the Schedule's and, with the time behind it, its workflows'. */
const schedules = [
  {
    id: 'housekeeping',
    every: '1 minute',
    workflow: housekeeping,
    summary: 'Delete what has expired, and catch what was lost',
  },
  {
    id: 'spam-sweep',
    every: '10 minutes',
    workflow: spamSweep,
    summary: 'Delete spam 30 days after it was marked',
  },
] as const;

/** Makes the Temporal Schedules that the product runs on, and has the overdue looked after at once. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const { id, every, workflow, summary } of schedules) {
    try {
      await client.schedule.create({
        scheduleId: id,
        spec: { intervals: [{ every }] },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
        action: {
          type: 'startWorkflow',
          workflowType: workflow,
          args: [],
          taskQueue: TASK_QUEUE,
          workflowId: id,
          staticSummary: summary,
        },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
    await client.schedule.getHandle(id).trigger();
  }
}
