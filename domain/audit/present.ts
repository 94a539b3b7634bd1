import type { AuditRow } from './log.ts';

export const presentAuditRow = (row: AuditRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  target: row.target_type === null ? null : { type: row.target_type, id: row.target_id },
  details: row.details,
  request_id: row.request_id,
});
