import type { Database } from '../db/database.ts';
import type { ApprovalStatus } from '../domain/approvals/approval.ts';
import { expireApproval, findApprovalState } from '../domain/approvals/expire.ts';
import type { Clock } from '../domain/clock.ts';

export interface ApprovingPorts {
  readonly db: Database;
  readonly clock: Clock;
}

/** The side effects of an approval's process. Each is safe to run twice: the database decides. */
export const createApprovingActivities = ({ db, clock }: ApprovingPorts) => ({
  /** What is written of an approval, with its end as ISO 8601; null where there is none. */
  async readApproval(approvalId: string): Promise<{ status: ApprovalStatus; expiresAt: string } | null> {
    const found = await findApprovalState(db, approvalId);
    return found === null ? null : { status: found.status, expiresAt: found.expires_at.toISOString() };
  },

  /** Writes down that it has expired, where it has by now. @returns whether this call did */
  expireApproval(approvalId: string): Promise<boolean> {
    return expireApproval(db, approvalId, clock.now());
  },
});

export type ApprovingActivities = ReturnType<typeof createApprovingActivities>;
