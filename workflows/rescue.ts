import { proxyActivities } from '@temporalio/workflow';
import type { RescueActivities } from '../activities/rescue.ts';
import { runSteps } from './steps.ts';

const { rescueOverdueSchedules, rescueQueuedRuns } = proxyActivities<RescueActivities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds', maximumAttempts: 5 },
});

/**
 * Starts the missing workflows of overdue articles and runs. Run each minute by an upkeep workflow of its own, so
 * that no deletion delays it. Safe to run twice.
 */
export const rescue = () => runSteps({ schedules: rescueOverdueSchedules, runs: rescueQueuedRuns });
