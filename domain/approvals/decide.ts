import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { conflict } from '../kernel/errors.ts';
import type { ServiceError } from '../kernel/errors.ts';
import { offerEvent } from '../events/events.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { getApproval } from './approval.ts';
import type { Approval } from './approval.ts';
import { macOf } from './denied-body.ts';
import { presentApproval } from './present.ts';

export type Decision = 'approved' | 'denied';

const actions = { approved: 'approval.approve', denied: 'approval.deny' } as const;

/**
 * Records a person's decision. Of concurrent decisions, one takes effect.
 *
 * @param keyId the deciding key
 * @param box makes the trace of a denied body
 * @throws ServiceError NOT_FOUND; CONFLICT if the approval has been decided already or has expired
 */
export async function decideApproval(
  change: Change,
  keyId: string,
  id: string,
  decision: Decision,
  box: SecretBox,
): Promise<Approval> {
  const { tx, site, now } = change;
  const denied = decision === 'denied';
  const hash = denied ? await lockBodyHash(tx, site.id, id) : null;
  const decided = await tx.exec(statement`
    update approvals p set status = ${decision}, decided_at = ${at(now)}, decided_by_key_id = ${keyId},
      body = case when ${denied}::boolean then null else p.body end,
      body_hash = case when ${denied}::boolean then null else p.body_hash end,
      denied_body_mac = ${hash && sql.binary(macOf(box, hash))}
    where p.id = ${id} and p.site_id = ${site.id} and p.status = 'pending' and p.expires_at > ${at(now)}`);
  const approval = await getApproval(tx, site.id, id, now);
  if (decided === 0) throw undecidable(approval);
  recordChange(
    change,
    actions[decision],
    { type: 'approval', id },
    { action: approval.action, method: approval.method, path: approval.path, requested_by: approval.key_id },
  );
  offerEvent(change, 'approval.decided', () => presentApproval(approval));
  signalWorkflow(tx, 'approval', { approvalId: id, siteId: site.id, signal: 'decide' }, now);
  return approval;
}

const hashRow = z.object({ body_hash: z.instanceof(Buffer).nullable() });

const lockBodyHash = async (tx: Transaction, siteId: string, id: string): Promise<Buffer | null> => {
  const found = await tx.maybeOne(sql.type(hashRow)`
    select body_hash from approvals where id = ${id} and site_id = ${siteId} and status = 'pending' for no key update`);
  return found?.body_hash ?? null;
};

const undecidable = ({ status }: Approval): ServiceError =>
  conflict(
    status === 'expired'
      ? 'This approval has expired. The agent has to ask for a new one.'
      : `This approval has been decided already: it is ${status}.`,
  );
