import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { ServiceError } from '../kernel/errors.ts';
import { hashBody } from '../kernel/idempotency.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { approvalStatuses, statusAt } from './approval.ts';
import type { RequestedAction } from './ask.ts';

const boundRow = z.object({
  status: z.enum(approvalStatuses),
  key_id: z.string(),
  method: z.string(),
  path: z.string(),
  body_hash: z.instanceof(Buffer).nullable(),
  target_version: z.string().nullable(),
});

type Bound = z.infer<typeof boundRow>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Uses an approval in the transaction of the operation that it allows: if that fails, the approval stays usable. A
 * concurrent second use waits for the first, and then finds the approval used.
 *
 * @param id as the client sent it
 * @param wanted the request, with its target locked by this transaction
 * @throws ServiceError APPROVAL_DENIED, or APPROVAL_INVALID with the reason
 */
export async function useApproval(change: Change, id: string, wanted: RequestedAction): Promise<void> {
  const { tx, now } = change;
  const approvalId = id.trim().toLowerCase();
  const found = uuid.test(approvalId) ? await lockApproval(tx, approvalId, wanted.siteId, now) : null;
  if (found === null) throw invalid('is not the id of an approval of this Site.');
  refuseForAnother(found, wanted);
  refuseByStatus(found);
  if (found.target_version !== wanted.targetVersion) {
    throw invalid('the target of the request has changed since the approval was requested.');
  }
  await tx.exec(statement`
    update approvals set status = 'used', used_at = ${at(now)}, body = null, body_hash = null where id = ${approvalId}`);
  const { action, method, path } = wanted;
  recordChange(change, 'approval.use', { type: 'approval', id: approvalId }, { action, method, path });
  signalWorkflow(tx, 'approval', { approvalId, siteId: wanted.siteId, signal: 'use' }, now);
}

const lockApproval = (tx: Transaction, id: string, siteId: string, now: Date): Promise<Bound | null> =>
  tx.maybeOne(sql.type(boundRow)`
    select ${statusAt(now)} as status, p.key_id, p.method, p.path, p.body_hash, p.target_version
    from approvals p where p.id = ${id} and p.site_id = ${siteId} for no key update`);

function refuseForAnother(found: Bound, wanted: RequestedAction): void {
  if (found.key_id !== wanted.keyId) {
    throw invalid('this approval was requested by another key, and only that key can use it.');
  }
  if (found.method !== wanted.method || found.path !== wanted.path) {
    throw invalid(`this approval is for ${found.method} ${found.path} only.`);
  }
  // The hash is deleted with the body once the approval cannot be used. Its status is reported instead.
  if (found.body_hash !== null && !found.body_hash.equals(hashBody(wanted.body))) {
    throw invalid('this approval is for another body; send the body that was approved.');
  }
}

function refuseByStatus({ status }: Bound): void {
  switch (status) {
    case 'approved':
      return;
    case 'denied':
      throw new ServiceError(
        'APPROVAL_DENIED',
        'A person denied this action. Do not repeat it unless they ask for it.',
      );
    case 'pending':
      throw new ServiceError(
        'APPROVAL_INVALID',
        'Service-Approval: this approval has not been decided yet. Wait for the decision, then send the request again.',
      );
    case 'expired':
      throw invalid('this approval has expired; it was valid for 24 hours.');
    case 'used':
      throw invalid('this approval has been used, and each allows one request.');
  }
}

const invalid = (problem: string): ServiceError =>
  new ServiceError(
    'APPROVAL_INVALID',
    `Service-Approval: ${problem} Without the header the request asks for a new approval.`,
  );
