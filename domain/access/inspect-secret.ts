import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql } from '../../db/sql.ts';
import { hashWellFormed } from './key-secret.ts';

const foundRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['publishable', 'secret']),
  held_by_agent: z.boolean(),
  drafts_only: z.boolean(),
  site: z.string(),
  organisation: z.string(),
  member: z.string(),
  state: z.enum(['active', 'grace', 'revoked', 'expired']),
});

/**
 * Describes a string that may be a leaked secret. `ours` says whether prefix and checksum are those of a Presswork key,
 * which needs no database. `key` is the key it belongs to, or null if this database does not know it. `grace` is set
 * for a replaced secret that still works. The secret itself is never included.
 */
export interface Inspection {
  readonly ours: boolean;
  readonly key: z.infer<typeof foundRow> | null;
}

export async function inspectSecret(db: Queryable, candidate: string, now: Date): Promise<Inspection> {
  const hash = hashWellFormed(candidate);
  if (hash === null) return { ours: false, key: null };
  const key = await db.maybeOne(sql.type(foundRow)`
    select k.id, k.name, k.kind, k.held_by_agent, k.drafts_only, k.site_id as site,
      t.organisation_id as organisation, k.member_id as member,
      case
        when k.revoked_at is not null or t.deleting_since is not null or s.retired_at is not null or s.valid_until <= ${at(now)} then 'revoked'
        when k.expires_at <= ${at(now)} then 'expired'
        when s.rotation is not null then 'grace'
        else 'active'
      end as state
    from api_key_secrets s join api_keys k on k.id = s.key_id join sites t on t.id = k.site_id
    where s.hash = ${sql.binary(hash)}`);
  return { ours: true, key };
}
