import { at, statement } from '../../db/sql.ts';
import { conflict } from '../errors.ts';
import type { ServiceError } from '../errors.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { signalWorkflow } from '../workflow-messages.ts';
import { getApproval } from './approval.ts';
import type { Approval } from './approval.ts';

export type Decision = 'approved' | 'denied';

const actions = { approved: 'approval.approve', denied: 'approval.deny' } as const;

/**
 * Records a person's decision. Of concurrent decisions, one takes effect.
 *
 * @param keyId the deciding key
 * @throws ServiceError NOT_FOUND; CONFLICT if the approval has been decided already or has expired
 */
export async function decideApproval(
  change: Change,
  keyId: string,
  id: string,
  decision: Decision,
): Promise<Approval> {
  const { tx, site, now } = change;
  const denied = decision === 'denied';
  const decided = await tx.exec(statement`
    update approvals p set status = ${decision}, decided_at = ${at(now)}, decided_by_key_id = ${keyId},
      body = case when ${denied}::boolean then null else p.body end,
      body_hash = case when ${denied}::boolean then null else p.body_hash end
    where p.id = ${id} and p.site_id = ${site.id} and p.status = 'pending' and p.expires_at > ${at(now)}`);
  const approval = await getApproval(tx, site.id, id, now);
  if (decided === 0) throw undecidable(approval);
  recordChange(
    change,
    actions[decision],
    { type: 'approval', id },
    { action: approval.action, method: approval.method, path: approval.path, requested_by: approval.key_id },
  );
  signalWorkflow(tx, 'approval', { approvalId: id, siteId: site.id, signal: 'decide' }, now);
  return approval;
}

const undecidable = ({ status }: Approval): ServiceError =>
  conflict(
    status === 'expired'
      ? 'This approval has expired. The agent has to ask for a new one.'
      : `This approval has been decided already: it is ${status}.`,
  );
