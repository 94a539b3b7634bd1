import { deleteIdleCounters } from '../domain/access/rate-limits.ts';
import { deleteOldContentRows } from '../domain/audit/log.ts';
import { deleteOldBillingEvents } from '../domain/billing/event.ts';
import { countOverage } from '../domain/billing/overage.ts';
import { deleteOldBulkJobs } from '../domain/bulk/end.ts';
import { deleteOldPushes, removeDeletedConnection } from '../domain/cms/retention.ts';
import { forgetTargets } from '../domain/seo/scan-lifecycle.ts';
import { storeOriginsOfEarlier } from '../domain/pipeline/origins-of-earlier.ts';
import { clearOldStepTexts } from '../domain/pipeline/step-retention.ts';
import { deleteExpiredAuthorizations } from '../domain/device/authorization.ts';
import { deleteOldChannelMessages } from '../domain/notifications/channel-messages.ts';
import { deleteOldNotifications } from '../domain/notifications/notification.ts';
import { foldPublicChanges } from '../domain/delivery/public-site.ts';
import { foldEventBytes, markFullSites } from '../domain/events/ceiling.ts';
import { deleteOldEvents } from '../domain/events/log.ts';
import { deleteExpiredPreviewLinks } from '../domain/previews/link.ts';
import { deletePastHostTurns } from '../domain/seo/host-turns.ts';
import { deleteOldDeliveries } from '../domain/webhooks/deliveries.ts';
import { removeLeftovers } from '../domain/webhooks/leftovers.ts';
import { deleteExpiredGrants } from '../domain/oauth/grant.ts';
import { deleteExpiredRecords } from '../domain/kernel/idempotency.ts';
import { deleteExpiredLinks } from '../domain/sign-in/links.ts';
import { deleteEndedKeys } from '../domain/sign-in/dashboard-keys.ts';
import { deleteEndedSessions } from '../domain/sign-in/sessions.ts';
import { deleteAbandonedSignIns } from '../domain/sign-in/sign-in.ts';
import { foldUsage, repairUsage } from '../domain/usage/usage.ts';
import { repaired } from '../observability/metrics/repairs.ts';
import { inBatches, inBatchesBriefly } from './batches.ts';
import type { Ports } from './ports.ts';

const BATCH = 5_000;
/** Smaller, because texts are long. */
const TEXTS_BATCH = 500;
/** Smaller, because each has up to 500 items. */
const JOBS_BATCH = 50;
/** Sites whose usage is compared with their rows in one run. */
const SITES_CHECKED = 20;

export const createHousekeepingActivities = ({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>) => ({
  deleteExpiredIdempotencyRecords(): Promise<number> {
    return inBatches(db, BATCH, (tx) => deleteExpiredRecords(tx, clock.now(), BATCH));
  },

  /** The writer's prompts and answers are kept for 30 days. What it wrote for an earlier version gets its origin. */
  async forgetOldTexts(): Promise<number> {
    await inBatchesBriefly(db, TEXTS_BATCH, (tx) => storeOriginsOfEarlier(tx, TEXTS_BATCH));
    return inBatches(db, TEXTS_BATCH, (tx) => clearOldStepTexts(tx, clock.now(), TEXTS_BATCH));
  },

  /**
   * The delivery log is kept for 30 days (docs/spec/rulings.md, 7). Log and queue of a deleted endpoint are deleted soon
   * after it.
   */
  async deleteOldDeliveries(): Promise<number> {
    const left = await inBatches(db, 1, (tx) => removeLeftovers(tx, clock.now(), BATCH));
    return left + (await inBatches(db, BATCH, (tx) => deleteOldDeliveries(tx, clock.now(), BATCH)));
  },

  /**
   * Rows of the audit log about content are kept for 400 days (docs/spec/rulings.md, 14), bulk jobs for 30 days after
   * their end (15), as long what a scan has looked at, and pushes, and what people were told for 90,
   * what channels were told for 7. The rows of a deleted
   * connection are deleted soon.
   */
  async deleteOldContentRows(): Promise<number> {
    await inBatchesBriefly(db, JOBS_BATCH, (tx) => deleteOldBulkJobs(tx, clock.now(), JOBS_BATCH));
    await inBatchesBriefly(db, JOBS_BATCH, (tx) => deleteOldPushes(tx, clock.now(), JOBS_BATCH));
    await inBatchesBriefly(db, 1, (tx) => removeDeletedConnection(tx, JOBS_BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => deleteOldNotifications(tx, clock.now(), BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => deleteOldChannelMessages(tx, clock.now(), BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => forgetTargets(tx, clock.now(), BATCH));
    return inBatchesBriefly(db, BATCH, (tx) => deleteOldContentRows(tx, clock.now(), BATCH));
  },

  /** Events are kept for 30 days (docs/spec/rulings.md, 7), those of the payment provider for 90. */
  async deleteOldEvents(): Promise<number> {
    await inBatches(db, BATCH, (tx) => deleteOldBillingEvents(tx, clock.now(), BATCH));
    return inBatches(db, BATCH, (tx) => deleteOldEvents(tx, clock.now(), BATCH));
  },

  deleteIdleRateLimitCounters(): Promise<number> {
    return inBatches(db, BATCH, (tx) => deleteIdleCounters(tx, clock.now(), BATCH));
  },

  /**
   * Expired device codes, accesses by OAuth and links, past turns of hosts, sign-ins whose code never came, ended sessions,
   * and keys of the dashboard that did nothing.
   */
  async deleteExpiredSignIns(): Promise<number> {
    await inBatchesBriefly(db, BATCH, (tx) => deleteEndedSessions(tx, clock.now(), BATCH));
    await inBatchesBriefly(db, JOBS_BATCH, (tx) => deleteEndedKeys(tx, clock.now(), JOBS_BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => deleteAbandonedSignIns(tx, clock.now(), BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => deleteExpiredLinks(tx, clock.now(), BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => deleteExpiredGrants(tx, clock.now(), BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => deleteExpiredPreviewLinks(tx, clock.now(), BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => deletePastHostTurns(tx, clock.now(), BATCH));
    return inBatchesBriefly(db, BATCH, (tx) => deleteExpiredAuthorizations(tx, clock.now(), BATCH));
  },

  /**
   * Folds the changes of usage, counts once a day the storage beyond the included one, folds event bytes and
   * changes of public content, marks Sites whose events reached the ceiling, and compares each
   * Site's usage with its rows once a day. A difference is a defect.
   */
  async keepUsage(): Promise<number> {
    await inBatchesBriefly(db, BATCH, (tx) => foldUsage(tx, BATCH));
    await db.transaction((tx) => countOverage(tx, clock.now()));
    await inBatchesBriefly(db, BATCH, (tx) => foldEventBytes(tx, BATCH));
    await inBatchesBriefly(db, BATCH, (tx) => foldPublicChanges(tx, BATCH));
    for (const marked of await db.transaction(markFullSites)) {
      if (marked.events_full) log.warn(marked, 'the events of a Site have reached their ceiling');
      else log.info(marked, 'the events of a Site have room again');
    }
    const drifts = await db.transaction((tx) => repairUsage(tx, clock.now(), SITES_CHECKED));
    repaired('usage', drifts.length);
    for (const drift of drifts)
      log.warn({ drift }, 'the stored usage of a Site was wrong and has been corrected');
    return drifts.length;
  },
});

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;
