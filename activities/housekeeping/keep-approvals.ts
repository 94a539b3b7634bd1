import { deleteOldApprovals, expireOverdue } from '../../domain/approvals/expire.ts';
import { repaired } from '../../observability/metrics/repairs.ts';
import { inBatches } from '../batches.ts';
import type { Ports } from '../ports.ts';

const BATCH = 1_000;

export const createKeepApprovalsActivities = ({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>) => ({
  /**
   * Expires approvals whose workflow was lost, and deletes those that ended 30 days ago.
   *
   * @returns how many it expired; above zero means a defect or a recent outage
   */
  async keepApprovals(): Promise<number> {
    const expired = await db.transaction((tx) => expireOverdue(tx, clock.now(), BATCH));
    repaired('approval', expired);
    if (expired > 0) log.warn({ expired }, 'overdue approvals have been marked as expired');
    await inBatches(db, BATCH, (tx) => deleteOldApprovals(tx, clock.now(), BATCH));
    return expired;
  },
});

export type KeepApprovalsActivities = ReturnType<typeof createKeepApprovalsActivities>;
