import { z } from 'zod';
import type { Queryable } from '../../db/database.ts';
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
