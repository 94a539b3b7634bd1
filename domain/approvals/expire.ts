import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import { approvalStatuses } from './approval.ts';

const stateRow = z.object({ status: z.enum(approvalStatuses), expires_at: timestamp });

/** What is written of an approval, or null where there is none. */
export const findApprovalState = (db: Queryable, id: string): Promise<z.infer<typeof stateRow> | null> =>
  db.maybeOne(sql.type(stateRow)`select status, expires_at from approvals where id = ${id}`);

/** Writes down that an approval has expired, where it has and nothing else became of it. @returns whether it did */
export async function expireApproval(db: Queryable, id: string, now: Date): Promise<boolean> {
  const expired = await db.exec(statement`
    update approvals set status = 'expired', body = null, body_hash = null
    where id = ${id} and status in ('pending', 'approved') and expires_at <= ${at(now)}`);
  return expired > 0;
}

/** How late the process of an approval may be before it counts as lost. */
const GRACE_MS = 60_000;

/** Expires what is overdue and has not been by its process, a batch at a time. Others pass over what is locked. */
export function expireOverdue(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    update approvals set status = 'expired', body = null, body_hash = null
    where ctid = any(array(
      select ctid from approvals
      where status in ('pending', 'approved') and expires_at <= ${at(new Date(now.getTime() - GRACE_MS))}
      order by expires_at limit ${batch} for update skip locked
    ))`);
}

const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Deletes what ended 30 days ago, a batch at a time: the audit log keeps who decided what. @returns how many */
export function deleteOldApprovals(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from approvals where ctid = any(array(
      select ctid from approvals
      where status in ('denied', 'expired', 'used') and expires_at <= ${at(new Date(now.getTime() - RETENTION_MS))}
      order by expires_at limit ${batch} for update skip locked
    ))`);
}

/**
 * Ends whatever was asked or approved to erase an address that has been erased, so that the address goes from
 * here, too.
 */
export async function endErasures(tx: Transaction, siteId: string, authorEmail: string): Promise<void> {
  await tx.exec(statement`
    update approvals set status = 'expired', body = null, body_hash = null
    where site_id = ${siteId} and action = 'comments.erase' and status in ('pending', 'approved')
      and lower(body ->> 'author_email') = ${authorEmail.toLowerCase()}`);
}
