import type { ApprovalStatus } from '../domain/approvals/approval.ts';
import { expireApproval, findApprovalState } from '../domain/approvals/expire.ts';
import type { Ports } from './ports.ts';

/** The side effects of an approval. Each is safe to run twice: the database decides. */
export const createApprovalActivities = ({ db, clock }: Pick<Ports, 'db' | 'clock'>) => ({
  /** The stored status of an approval and when it expires, ISO 8601; null if it does not exist. */
  async readApproval(approvalId: string): Promise<{ status: ApprovalStatus; expiresAt: string } | null> {
    const found = await findApprovalState(db, approvalId);
    return found === null ? null : { status: found.status, expiresAt: found.expires_at.toISOString() };
  },

  /** Marks the approval as expired if its time is over. @returns whether this call did */
  expireApproval(approvalId: string): Promise<boolean> {
    return expireApproval(db, approvalId, clock.now());
  },
});

export type ApprovalActivities = ReturnType<typeof createApprovalActivities>;
