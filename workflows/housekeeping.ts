import { patched, proxyActivities } from '@temporalio/workflow';
import type { FinishForgottenActivities } from '../activities/housekeeping/finish-forgotten.ts';
import type { HousekeepingActivities } from '../activities/housekeeping.ts';
import type { KeepApprovalsActivities } from '../activities/housekeeping/keep-approvals.ts';
import type { KeepCommentsActivities } from '../activities/housekeeping/keep-comments.ts';
import type { SweepForgottenActivities } from '../activities/housekeeping/sweep-forgotten.ts';
import type { RescueActivities } from '../activities/rescue.ts';
import { runSteps } from './steps.ts';

const {
  rescueOverdueSchedules,
  deleteExpiredIdempotencyRecords,
  deleteIdleRateLimitCounters,
  forgetOldTexts,
  deleteOldDeliveries,
  deleteOldContentRows,
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
    KeepCommentsActivities &
    SweepForgottenActivities &
    KeepApprovalsActivities &
    FinishForgottenActivities &
    RescueActivities
>({
  startToCloseTimeout: '1 minute',
  // The next run is a minute away and does the rest.
  scheduleToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 3 },
});

/** The result of one run. A run started by an earlier version returns only that version's members. */
export interface HousekeepingResult {
  readonly idempotencyRecords: number;
  readonly counters: number;
  readonly texts: number;
  readonly deliveries: number;
  /** Rows of the audit log. */
  readonly contentRows: number;
  readonly events: number;
  readonly usageRepairs: number;
  readonly signIns: number;
  readonly commentRepairs: number;
  readonly sweptForgotten: number;
  readonly expiredApprovals: number;
  readonly finishedForgotten: number;
  /** The steps that failed. */
  readonly failed: readonly string[];
}

/**
 * Deletes expired rows and finishes lost work. Run each minute by an upkeep workflow. Earlier versions started it by a
 * Temporal Schedule. Safe to run twice.
 */
export const housekeeping = async (): Promise<Partial<HousekeepingResult>> =>
  patched('each-step-alone')
    ? runSteps({
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
      })
    : allOrNothing();

/** The earlier behaviour: the first step that fails ends the run. */
async function allOrNothing(): Promise<Partial<HousekeepingResult>> {
  await rescueOverdueSchedules();
  const idempotencyRecords = await deleteExpiredIdempotencyRecords();
  const counters = await deleteIdleRateLimitCounters();
  const events = await deleteOldEvents();
  const usageRepairs = patched('keep-usage') ? await keepUsage() : 0;
  const signIns = patched('delete-sign-ins') ? await deleteExpiredSignIns() : 0;
  const commentRepairs = patched('keep-comments') ? await keepComments() : 0;
  if (patched('rescue-runs')) await rescueQueuedRuns();
  const sweptForgotten = patched('sweep-forgotten') ? await sweepForgotten() : 0;
  const expiredApprovals = patched('keep-approvals') ? await keepApprovals() : 0;
  const finishedForgotten = patched('finish-forgotten') ? await finishForgotten() : 0;
  return {
    idempotencyRecords,
    counters,
    events,
    usageRepairs,
    signIns,
    commentRepairs,
    sweptForgotten,
    expiredApprovals,
    finishedForgotten,
  };
}
