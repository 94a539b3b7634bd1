import { sqlState } from '../db/failures.ts';
import { countDeleted } from '../domain/leaving/deletion.ts';
import {
  deletedTables,
  deleteRows,
  findGoingRuns,
  finishSiteDeletion,
  readQuietTime,
  stopRun,
} from '../domain/leaving/site-deletion.ts';
import { objectPrefixes } from '../domain/media/reservation.ts';
import { inBudget, requireAsked } from './deletion-steps.ts';
import type { Progress } from './deletion-steps.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { Ports } from './ports.ts';

/** Rows of one transaction: a table's checks and triggers run for each. */
const BATCH = 1_000;
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * The steps of a Site's deletion. Each does nothing unless that was asked for, continues where an earlier attempt was
 * killed, and is safe to run twice at once. Rows are counted in the transaction that deletes them; objects and workflows
 * afterwards, so that a kill may leave some of them uncounted.
 */
export const createSiteDeletionActivities = ({
  db,
  clock,
  objects,
  workflows,
  schedules,
}: Pick<Ports, 'db' | 'clock' | 'workflows'> & {
  readonly objects: Pick<Ports['objects'], 'removeUnder'>;
  readonly schedules: Pick<Ports['schedules'], 'remove'>;
}) => {
  const requireDeletion = (siteId: string): Promise<void> => requireAsked(db, siteId, 'site');

  return {
    /**
     * Deletes the Schedule of the Site, terminates its running workflows, and ends its runs.
     *
     * @returns when nothing that began before the request can leave anything behind, ISO 8601; null if the Site is
     *   deleted already
     */
    async stopSite(siteId: string): Promise<string | null> {
      await requireDeletion(siteId);
      const quietAt = await readQuietTime(db, siteId);
      await schedules.remove(siteId);
      await inBudget(async () => (await workflows.terminateRunning(siteId)).done);
      await withHeartbeat(async () => {
        for (const { id } of await findGoingRuns(db, siteId))
          await db.transaction((tx) => stopRun(tx, siteId, id, clock.now()));
      });
      return quietAt?.toISOString() ?? null;
    },

    /** Deletes rows in short transactions, table by table. */
    async deleteSiteRows(siteId: string): Promise<Progress> {
      await requireDeletion(siteId);
      let place = 0;
      return inBudget(async () => {
        for (; place < deletedTables.length; place += 1) {
          const table = deletedTables[place];
          if (table === undefined) break;
          const deleted = await db.transaction((tx) => deleteRows(tx, siteId, table, BATCH));
          if (deleted > 0) return deleted;
        }
        return 0;
      });
    },

    /** Deletes uploads and images from storage. */
    async deleteSiteObjects(siteId: string): Promise<Progress> {
      await requireDeletion(siteId);
      for (const prefix of objectPrefixes(siteId)) {
        const { more } = await inBudget(async () => {
          const removed = await objects.removeUnder(prefix);
          await countDeleted(db, siteId, 'objects', removed);
          return removed;
        });
        if (more) return { more };
      }
      return { more: false };
    },

    /**
     * Deletes the Site's workflows from Temporal. The list of workflows follows changes a little later, so it
     * may name some a second time.
     */
    async forgetSiteWorkflows(siteId: string): Promise<Progress> {
      await requireDeletion(siteId);
      return withHeartbeat(async () => {
        const terminated = await workflows.terminateRunning(siteId);
        const deleted = await workflows.deleteClosed(siteId);
        await countDeleted(db, siteId, 'workflows', deleted.done);
        return { more: terminated.listed + deleted.listed > 0 };
      });
    },

    /**
     * Deletes the Site itself, and writes the receipt.
     *
     * @returns false if the Site has rows again, which have to be deleted first
     */
    async finishSite(siteId: string): Promise<boolean> {
      await requireDeletion(siteId);
      try {
        await withHeartbeat(() => db.transaction((tx) => finishSiteDeletion(tx, siteId, clock.now())));
        return true;
      } catch (error) {
        if (sqlState(error) === FOREIGN_KEY_VIOLATION) return false;
        throw error;
      }
    },
  };
};

export type SiteDeletionActivities = ReturnType<typeof createSiteDeletionActivities>;
