import { patched, proxyActivities } from '@temporalio/workflow';
import type { ApprovingActivities } from '../activities/approving.ts';
import type { CommentingActivities } from '../activities/commenting.ts';
import type { FinishingActivities } from '../activities/finishing.ts';
import type { HousekeepingActivities } from '../activities/housekeeping.ts';
import type { SweepingActivities } from '../activities/sweeping.ts';

const {
  rescueOverdueSchedules,
  deleteExpiredIdempotencyRecords,
  deleteIdleRateLimitCounters,
  deleteOldEvents,
  keepUsage,
  deleteExpiredSignIns,
  keepComments,
  rescueQueuedRuns,
  sweepForgotten,
  keepApprovals,
  finishForgotten,
} = proxyActivities<
  HousekeepingActivities &
    Pick<CommentingActivities, 'keepComments'> &
    Pick<SweepingActivities, 'sweepForgotten'> &
    Pick<ApprovingActivities, 'keepApprovals'> &
    FinishingActivities
>({
  startToCloseTimeout: '1 minute',
  // Some four minutes: a database that is restarted, or fails over, is back by then.
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 30 },
});

/** What keeps tables small and catches what was lost; run each minute by a Temporal Schedule. Safe to run twice. */
export async function housekeeping(): Promise<{
  rescuedSchedules: number;
  idempotencyRecords: number;
  counters: number;
  events: number;
  usageRepairs: number;
  signIns: number;
  commentRepairs: number;
  rescuedRuns: number;
  sweptForgotten: number;
  expiredApprovals: number;
  finishedForgotten: number;
}> {
  const rescuedSchedules = await rescueOverdueSchedules();
  const idempotencyRecords = await deleteExpiredIdempotencyRecords();
  const counters = await deleteIdleRateLimitCounters();
  const events = await deleteOldEvents();
  const usageRepairs = patched('keep-usage') ? await keepUsage() : 0;
  const signIns = patched('delete-sign-ins') ? await deleteExpiredSignIns() : 0;
  const commentRepairs = patched('keep-comments') ? await keepComments() : 0;
  const rescuedRuns = patched('rescue-runs') ? await rescueQueuedRuns() : 0;
  const sweptForgotten = patched('sweep-forgotten') ? await sweepForgotten() : 0;
  const expiredApprovals = patched('keep-approvals') ? await keepApprovals() : 0;
  const finishedForgotten = patched('finish-forgotten') ? await finishForgotten() : 0;
  return {
    rescuedSchedules,
    idempotencyRecords,
    counters,
    events,
    usageRepairs,
    signIns,
    commentRepairs,
    rescuedRuns,
    sweptForgotten,
    expiredApprovals,
    finishedForgotten,
  };
}
