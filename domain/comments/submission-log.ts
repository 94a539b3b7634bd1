import { createHash } from 'node:crypto';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, statement } from '../../db/sql.ts';

/** How long the log is kept: as far as any limit or duplicate looks back (decisions 8). */
export const LOG_RETENTION_MS = 24 * 60 * 60_000;

/** Equal for comments that say the same under the same name and address; white space around counts for nothing. */
export const contentHash = (content: {
  readonly authorName: string;
  readonly authorEmail: string | null;
  readonly body: string;
}): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([content.authorName.trim(), content.authorEmail, content.body.trim()]))
    .digest();

/** Takes out of the log what could tell who wrote these comments; they go on to count. */
export async function forgetContent(tx: Transaction, commentIds: readonly string[]): Promise<void> {
  await tx.exec(statement`
    update comment_submissions set content_hash = null where comment_id = any(${array(commentIds, 'uuid')})`);
}

/** Deletes what no limit looks back to any more, a batch at a time. @returns how many */
export function deleteOldSubmissions(tx: Transaction, now: Date, batch: number): Promise<number> {
  const oldest = at(new Date(now.getTime() - LOG_RETENTION_MS));
  return tx.exec(statement`
    delete from comment_submissions where ctid = any(array(
      select ctid from comment_submissions where created_at <= ${oldest}
      order by created_at limit ${batch} for update skip locked
    ))`);
}
