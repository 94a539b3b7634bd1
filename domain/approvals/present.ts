import type { Approval, AskedApproval } from './approval.ts';

/** An approval as the API shows it. */
export const presentApproval = (approval: Approval) => ({
  id: approval.id,
  status: approval.status,
  action: approval.action,
  method: approval.method,
  path: approval.path,
  requested_by: { kind: 'key', id: approval.key_id, name: approval.key_name },
  created_at: approval.created_at.toISOString(),
  expires_at: approval.expires_at.toISOString(),
  decided_at: approval.decided_at?.toISOString() ?? null,
  decided_by:
    approval.decided_by_key_id === null
      ? null
      : { kind: 'key', id: approval.decided_by_key_id, name: approval.decided_by_name },
  used_at: approval.used_at?.toISOString() ?? null,
});

/** The answer to a request that needs an approval (docs/spec/rulings.md, 11). */
export const presentAsked = ({ id, status, action, expires_at }: AskedApproval) => ({
  id,
  status,
  action,
  expires_at: expires_at.toISOString(),
});
