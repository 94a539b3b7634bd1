import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import { deleteBatch, inBatch } from '../kernel/batch.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { approvalStatuses } from './approval.ts';

const stateRow = z.object({ status: z.enum(approvalStatuses), expires_at: timestamp });

/** The stored status and expiry of an approval, or null if it does not exist. */
export const findApprovalState = (db: Queryable, id: string): Promise<z.infer<typeof stateRow> | null> =>
  db.maybeOne(sql.type(stateRow)`select status, expires_at from approvals where id = ${id}`);

/** Marks an approval as expired if its time has passed and it was neither used nor denied. @returns whether it did */
export async function expireApproval(db: Queryable, id: string, now: Date): Promise<boolean> {
  const expired = await db.exec(statement`
    update approvals set status = 'expired', body = null, body_hash = null
    where id = ${id} and status in ('pending', 'approved') and expires_at <= ${at(now)}`);
  return expired > 0;
}

/** How late the workflow of an approval may be before it counts as lost. */
const GRACE_MS = 60_000;

/** Expires a batch of approvals that are overdue because their workflow was lost. Skips locked rows. */
export function expireOverdue(tx: Transaction, now: Date, size: number): Promise<number> {
  const until = new Date(now.getTime() - GRACE_MS);
  const where = sql.fragment`status in ('pending', 'approved')`;
  const batch = { table: 'approvals', by: 'expires_at', until, where, size };
  return tx.exec(statement`
    update approvals set status = 'expired', body = null, body_hash = null where ${inBatch(batch)}`);
}

const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Deletes a batch of approvals that ended 30 days ago; the audit log keeps the decisions. @returns how many */
export function deleteOldApprovals(tx: Transaction, now: Date, size: number): Promise<number> {
  const until = new Date(now.getTime() - RETENTION_MS);
  const where = sql.fragment`status in ('denied', 'expired', 'used')`;
  return deleteBatch(tx, { table: 'approvals', by: 'expires_at', until, where, size });
}

const erasedRow = z.object({ id: z.string(), status: z.enum(approvalStatuses) });

/**
 * Ends all pending and approved requests to erase an address that has been erased, so that the address is removed from
 * them as well. Denied ones do not tell which address they were for: all of them lose what is left of it.
 */
export async function endErasures(
  tx: Transaction,
  siteId: string,
  authorEmail: string,
  now: Date,
): Promise<void> {
  const rows = await tx.any(sql.type(erasedRow)`
    update approvals set body = null, body_hash = null, denied_body_mac = null,
      status = case when status = 'denied' then status else 'expired' end
    where site_id = ${siteId} and action = 'comments.erase' and (
      (status in ('pending', 'approved') and lower(body ->> 'author_email') = ${authorEmail.toLowerCase()})
      or (status = 'denied' and denied_body_mac is not null))
    returning id, status`);
  for (const { id, status } of rows)
    if (status === 'expired')
      signalWorkflow(tx, 'approval', { approvalId: id, siteId, signal: 'decide' }, now);
}
