import { z } from 'zod';
import { approvalStatuses } from '../../domain/approvals/approval.ts';
import { gatedOperations } from '../../domain/approvals/gated-operations.ts';
import { id, isoTime, nullableTime, pageOf } from '../../packages/base/fields.ts';
import { approvalDetailExample, approvalExample } from './approval-examples.ts';

const key = z.strictObject({ kind: z.literal('key'), id, name: z.string() }).meta({ id: 'KeyReference' });
const action = z
  .enum(gatedOperations)
  .meta({ description: 'The requested operation, by its name in the audit log.' });

const approval = {
  id,
  status: z.enum(approvalStatuses),
  action,
  method: z.string(),
  path: z.string().meta({ description: 'Relative to the base URL.' }),
  requested_by: key,
  created_at: isoTime,
  expires_at: isoTime.meta({ description: 'The end of the time in which it can be decided and used.' }),
  decided_at: nullableTime,
  decided_by: key.nullable(),
  used_at: nullableTime,
};

export const ApprovalShape = z.strictObject(approval).meta({ id: 'Approval', examples: [approvalExample] });

export const ApprovalPage = pageOf(ApprovalShape).meta({ id: 'ApprovalPage' });

export const ApprovalDetail = z
  .strictObject({
    ...approval,
    body: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The body of the request. Shown to the requesting key and to people who may decide, as long as the approval can be decided or used; otherwise null.',
    }),
    target: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The object of the request at the time of the request: for a key its name, scopes and person, for a member the address and role. Shown to the requesting key and to people who may decide; null for other operations.',
    }),
  })
  .meta({ id: 'ApprovalDetail', examples: [approvalDetailExample] });

export const Decided = z.strictObject({ approval: ApprovalShape }).meta({ id: 'ApprovalDecided' });

/** The answer to an agent's request that needs an approval. Nothing has been changed (docs/spec/rulings.md, 11). */
export const ApprovalRequested = z
  .strictObject({
    approval: z
      .strictObject({ id, status: z.literal('pending'), action, expires_at: isoTime })
      .meta({ id: 'PendingApproval' }),
  })
  .meta({ id: 'ApprovalRequested' });
