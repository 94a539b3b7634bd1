import type { ApiKey } from './key.ts';

/** A key as the API shows it. Only the answers that hand out the secret include it. */
export const presentKey = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  kind: key.kind,
  key_prefix: key.key_prefix,
  scopes: key.scopes,
  held_by_agent: key.held_by_agent,
  drafts_only: key.drafts_only,
  last_used_at: key.last_used_at?.toISOString() ?? null,
  expires_at: key.expires_at?.toISOString() ?? null,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  created_at: key.created_at.toISOString(),
});
