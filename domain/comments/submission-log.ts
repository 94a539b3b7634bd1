import { createHash } from 'node:crypto';
import type { Transaction } from '../../db/transaction.ts';
import { array, statement } from '../../db/sql.ts';
import { deleteBatch } from '../kernel/batch.ts';

/**
 * How long the log is kept: the longest time that a limit or the search for duplicates covers
 * (docs/spec/rulings.md, 8).
 */
export const LOG_RETENTION_MS = 24 * 60 * 60_000;

/** Equal for comments with the same text, name and address; surrounding white space is ignored. */
export const contentHash = (content: {
  readonly authorName: string;
  readonly authorEmail: string | null;
  readonly body: string;
}): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([content.authorName.trim(), content.authorEmail, content.body.trim()]))
    .digest();

/** Removes from the log the identity of the authors of these comments; the comments still count. */
export async function clearContentHashes(tx: Transaction, commentIds: readonly string[]): Promise<void> {
  await tx.exec(statement`
    update comment_submissions set content_hash = null where comment_id = any(${array(commentIds, 'uuid')})`);
}

/** Deletes a batch of entries that no limit covers any more. @returns how many */
export function deleteOldSubmissions(tx: Transaction, now: Date, size: number): Promise<number> {
  const until = new Date(now.getTime() - LOG_RETENTION_MS);
  return deleteBatch(tx, { table: 'comment_submissions', by: 'created_at', until, size });
}
