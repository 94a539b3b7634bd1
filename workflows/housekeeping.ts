import { proxyActivities } from '@temporalio/workflow';
import type { FinishForgottenActivities } from '../activities/housekeeping/finish-forgotten.ts';
import type { HousekeepingActivities } from '../activities/housekeeping.ts';
import type { KeepApprovalsActivities } from '../activities/housekeeping/keep-approvals.ts';
import type { KeepCommentsActivities } from '../activities/housekeeping/keep-comments.ts';
import type { SweepForgottenActivities } from '../activities/housekeeping/sweep-forgotten.ts';
import { runSteps } from './steps.ts';

const {
  deleteExpiredIdempotencyRecords,
  deleteIdleRateLimitCounters,
  forgetOldTexts,
  deleteOldDeliveries,
  deleteOldContentRows,
  deleteOldEvents,
  keepUsage,
  deleteExpiredSignIns,
  keepComments,
  sweepForgotten,
  keepApprovals,
  finishForgotten,
} = proxyActivities<
  HousekeepingActivities &
    KeepCommentsActivities &
    SweepForgottenActivities &
    KeepApprovalsActivities &
    FinishForgottenActivities
>({
  startToCloseTimeout: '1 minute',
  // The next run is a minute away and does the rest.
  scheduleToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 3 },
});

/** Deletes expired rows and finishes lost work. Run each minute by an upkeep workflow. Safe to run twice. */
export const housekeeping = () =>
  runSteps({
    idempotencyRecords: deleteExpiredIdempotencyRecords,
    counters: deleteIdleRateLimitCounters,
    texts: forgetOldTexts,
    deliveries: deleteOldDeliveries,
    contentRows: deleteOldContentRows,
    events: deleteOldEvents,
    usageRepairs: keepUsage,
    signIns: deleteExpiredSignIns,
    commentRepairs: keepComments,
    sweptForgotten: sweepForgotten,
    expiredApprovals: keepApprovals,
    finishedForgotten: finishForgotten,
  });
