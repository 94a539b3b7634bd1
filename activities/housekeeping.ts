import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { deleteIdleCounters } from '../domain/access/rate-limits.ts';
import { rescueOverdueSchedules } from '../domain/articles/schedule.ts';
import type { Clock } from '../domain/clock.ts';
import { forgetOldTexts } from '../domain/pipeline/texts.ts';
import { rescueRuns } from '../domain/pipeline/run-lifecycle.ts';
import { deleteExpiredAuthorizations } from '../domain/device/authorization.ts';
import { deleteOldEvents } from '../domain/event-log.ts';
import { deleteOldDeliveries } from '../domain/webhooks/deliveries.ts';
import { deleteExpiredRecords } from '../domain/idempotency.ts';
import { deleteEndedSessions } from '../domain/sign-in/sessions.ts';
import { foldUsage, repairUsage } from '../domain/usage.ts';
import { repaired } from '../metrics/repairs.ts';
import { inBatches } from './batches.ts';

const BATCH = 5_000;
/** Texts are long. */
const TEXTS_BATCH = 500;
/** How late a schedule may be before it counts as lost. */
const GRACE_MS = 15_000;
/** How long a run may wait to begin before it counts as lost. */
const RUN_GRACE_MS = 60_000;
/** Sites whose usage is held against their rows in one run. */
const SITES_CHECKED = 20;

export interface HousekeepingPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export const createHousekeepingActivities = ({ db, clock, log }: HousekeepingPorts) => ({
  /** Wakes the processes of articles whose time has passed. Above zero is a defect, or an outage just over. */
  async rescueOverdueSchedules(): Promise<number> {
    const rescued = await db.transaction((tx) => rescueOverdueSchedules(tx, clock.now(), GRACE_MS));
    repaired('schedule', rescued);
    if (rescued > 0) log.warn({ rescued }, 'schedules were overdue and have been woken');
    return rescued;
  },

  /** Starts runs again that never began. Above zero is a defect, or an outage just over. */
  async rescueQueuedRuns(): Promise<number> {
    const rescued = await db.transaction((tx) => rescueRuns(tx, clock.now(), RUN_GRACE_MS));
    repaired('run', rescued);
    if (rescued > 0) log.warn({ rescued }, 'runs had not begun and have been started again');
    return rescued;
  },

  deleteExpiredIdempotencyRecords(): Promise<number> {
    return inBatches(db, BATCH, (tx) => deleteExpiredRecords(tx, clock.now(), BATCH));
  },

  /** Events and the delivery log are kept for 30 days (decisions 7), and so is what the writer was asked and said. */
  async deleteOldEvents(): Promise<number> {
    await inBatches(db, TEXTS_BATCH, (tx) => forgetOldTexts(tx, clock.now(), TEXTS_BATCH));
    await inBatches(db, BATCH, (tx) => deleteOldDeliveries(tx, clock.now(), BATCH));
    return inBatches(db, BATCH, (tx) => deleteOldEvents(tx, clock.now(), BATCH));
  },

  deleteIdleRateLimitCounters(): Promise<number> {
    return inBatches(db, BATCH, (tx) => deleteIdleCounters(tx, clock.now(), BATCH));
  },

  /** Device codes past their 15 minutes, and sessions that have ended. */
  async deleteExpiredSignIns(): Promise<number> {
    await inBatches(db, BATCH, (tx) => deleteEndedSessions(tx, clock.now(), BATCH));
    return inBatches(db, BATCH, (tx) => deleteExpiredAuthorizations(tx, clock.now(), BATCH));
  },

  /** Folds the changes of usage, and holds each Site's figures against its rows once a day. What is off is a defect. */
  async keepUsage(): Promise<number> {
    await inBatches(db, BATCH, (tx) => foldUsage(tx, BATCH));
    const drifts = await db.transaction((tx) => repairUsage(tx, clock.now(), SITES_CHECKED));
    repaired('usage', drifts.length);
    for (const drift of drifts)
      log.warn({ drift }, 'the usage kept of a Site was off, and has been set right');
    return drifts.length;
  },
});

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;
