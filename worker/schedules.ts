import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../temporal/names.ts';
import { housekeeping } from '../workflows/housekeeping.ts';

const HOUSEKEEPING = 'housekeeping';

/** Makes the Temporal Schedules that the product runs on, and has the overdue looked after at once. */
export async function ensureSchedules(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: HOUSEKEEPING,
      spec: { intervals: [{ every: '1 minute' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: housekeeping,
        args: [],
        taskQueue: TASK_QUEUE,
        workflowId: HOUSEKEEPING,
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  await client.schedule.getHandle(HOUSEKEEPING).trigger();
}
