import type { Deletion } from './deletion.ts';

/** The receipt, as the command prints it. Nothing in it is personal data, but for the operator's name. */
export const presentDeletion = (deletion: Deletion) => ({
  id: deletion.target_id,
  kind: deletion.kind,
  organisation: deletion.organisation_id,
  state: deletion.finished_at === null ? ('deleting' as const) : ('deleted' as const),
  asked_at: deletion.asked_at.toISOString(),
  asked_by: deletion.asked_by,
  finished_at: deletion.finished_at?.toISOString() ?? null,
  deleted: deletion.deleted,
});
