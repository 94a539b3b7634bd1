import { z } from 'zod';
import { approvalStatuses } from '../../domain/approvals/approval.ts';
import { gatedOperations } from '../../domain/approvals/gated-operations.ts';
import { id, isoTime, nullableTime, pageOf } from '../schema/fields.ts';
import { cursor, limit } from '../schema/query.ts';

const key = z.strictObject({ kind: z.literal('key'), id, name: z.string() });
const action = z
  .enum(gatedOperations)
  .meta({ description: 'What is to be done, as the audit log names it.' });

const approval = {
  id,
  status: z.enum(approvalStatuses),
  action,
  method: z.string(),
  path: z.string().meta({ description: 'Below the base address.' }),
  requested_by: key,
  created_at: isoTime,
  expires_at: isoTime.meta({ description: 'Until when it can be decided, and used.' }),
  decided_at: nullableTime,
  decided_by: key.nullable(),
  used_at: nullableTime,
};

const Approval = z.strictObject(approval).meta({ id: 'Approval' });

export const ApprovalPage = pageOf(Approval).meta({ id: 'ApprovalPage' });

export const ApprovalDetail = z
  .strictObject({
    ...approval,
    body: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'What was sent. Shown to the key that asked and to whoever may decide, while it can be decided or used; else null.',
    }),
  })
  .meta({ id: 'ApprovalDetail' });

export const Decided = z.strictObject({ approval: Approval }).meta({ id: 'ApprovalDecided' });

/** The answer to an agent's request that needs an approval: nothing has been done (decisions 11). */
export const ApprovalRequested = z
  .strictObject({
    approval: z.strictObject({ id, status: z.literal('pending'), action, expires_at: isoTime }),
  })
  .meta({ id: 'ApprovalRequested' });

export const ApprovalQuery = z.strictObject({ cursor, limit: limit() });
