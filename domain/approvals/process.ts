import type { Transaction } from '../../db/transaction.ts';
import { enqueue } from '../../db/outbox.ts';

/** The id of the process that waits for an approval's end. */
export const approvalProcessId = (approvalId: string): string => `approval/${approvalId}`;

/** Has the process begun, or told that the approval is not what it was. */
export function tellProcess(
  tx: Transaction,
  siteId: string,
  approvalId: string,
  signal: 'asked' | 'decide' | 'use',
  now: Date,
): void {
  const payload = { approvalId, siteId, signal };
  enqueue(tx, { kind: 'approval', workflow_id: approvalProcessId(approvalId), payload }, now);
}
