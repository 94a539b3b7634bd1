import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { ApprovalStatus } from '../domain/approvals/approval.ts';
import {
  deleteOldApprovals,
  expireApproval,
  expireOverdue,
  findApprovalState,
} from '../domain/approvals/expire.ts';
import type { Clock } from '../domain/clock.ts';
import { repaired } from '../metrics/repairs.ts';
import { inBatches } from './batches.ts';

export interface ApprovingPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

const BATCH = 1_000;

/** The side effects of an approval's process. Each is safe to run twice: the database decides. */
export const createApprovingActivities = ({ db, clock, log }: ApprovingPorts) => ({
  /** What is written of an approval, with its end as ISO 8601; null where there is none. */
  async readApproval(approvalId: string): Promise<{ status: ApprovalStatus; expiresAt: string } | null> {
    const found = await findApprovalState(db, approvalId);
    return found === null ? null : { status: found.status, expiresAt: found.expires_at.toISOString() };
  },

  /** Writes down that it has expired, where it has by now. @returns whether this call did */
  expireApproval(approvalId: string): Promise<boolean> {
    return expireApproval(db, approvalId, clock.now());
  },

  /**
   * Expires what no process has expired, which is a defect or an outage just over, and deletes what ended 30 days ago.
   *
   * @returns how many it expired
   */
  async keepApprovals(): Promise<number> {
    const expired = await db.transaction((tx) => expireOverdue(tx, clock.now(), BATCH));
    repaired('approval', expired);
    if (expired > 0) log.warn({ expired }, 'approvals were overdue and have been written down as expired');
    await inBatches(db, BATCH, (tx) => deleteOldApprovals(tx, clock.now(), BATCH));
    return expired;
  },
});

export type ApprovingActivities = ReturnType<typeof createApprovingActivities>;
