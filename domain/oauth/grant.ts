import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import { getKeyForUpdate, revokeKey } from '../access/keys.ts';
import { roles } from '../access/permissions.ts';
import { scopes as allScopes } from '../access/scopes.ts';
import type { Scope } from '../access/scopes.ts';
import type { Act } from '../audit/change.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { underMaintenance } from '../kernel/errors.ts';
import { findMaintenance } from '../organisations/sites.ts';
import { hashToken } from './tokens.ts';

/** How long a code can be exchanged. */
export const CODE_LIFETIME_MS = 60_000;
/** How long a key can be used before it has to be refreshed. */
export const ACCESS_LIFETIME_S = 3_600;
/** How long a grant lasts after its last refresh. */
const REFRESH_LIFETIME_MS = 30 * 86_400_000;

const grantRow = z.object({
  id: z.string(),
  site_id: z.string(),
  organisation_id: z.string(),
  subscribed_events: z.array(z.string()),
  member_id: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  redirect_uri: z.string(),
  scopes: z.array(z.enum(allScopes as [Scope, ...Scope[]])),
  drafts_only: z.boolean(),
  code_challenge: z.string(),
  key_id: z.string().nullable(),
  refresh_hash: z.instanceof(Buffer).nullable(),
  replaced_hash: z.instanceof(Buffer).nullable(),
  replaced_at: timestamp.nullable(),
  sealed_answer: z.instanceof(Buffer).nullable(),
  email: z.string(),
  /** null after the person was removed. */
  role: z.enum(roles).nullable(),
  expires_at: timestamp,
});

/** The rights of a client, and the person who gives them. */
export type Grant = z.infer<typeof grantRow>;

/** Why a client gets no token, for RFC 6749, 5.2. */
export interface Refused {
  readonly error: 'invalid_grant' | 'invalid_scope';
  readonly description: string;
}

export const refused = (description: string, error: Refused['error'] = 'invalid_grant'): Refused => ({
  error,
  description,
});

export const accessEnd = (now: Date): Date => new Date(now.getTime() + ACCESS_LIFETIME_S * 1_000);
export const refreshEnd = (now: Date): Date => new Date(now.getTime() + REFRESH_LIFETIME_MS);

export const lockByCode = (tx: Transaction, code: string, now: Date): Promise<Grant | null> =>
  lock(tx, sql.fragment`g.code_hash = ${sql.binary(hashToken(code))}`, now);

/** @param family the part of a refresh token that stays */
export const lockByFamily = (tx: Transaction, family: string, now: Date): Promise<Grant | null> =>
  lock(tx, sql.fragment`g.family_hash = ${sql.binary(hashToken(family))}`, now);

export const lockByKey = (tx: Transaction, keyId: string, now: Date): Promise<Grant | null> =>
  lock(tx, sql.fragment`g.key_id = ${keyId}::uuid`, now);

const memberRow = z.object({ id: z.string() });

/**
 * Locks the person, and then the grant, in the order in which a person is erased. Keys are locked after both.
 *
 * @returns null for a grant that does not exist, or has expired
 * @throws ServiceError MAINTENANCE, because every use of a grant writes
 */
async function lock(tx: Transaction, which: FragmentSqlToken, now: Date): Promise<Grant | null> {
  await tx.any(sql.type(memberRow)`
    select m.id from members m where m.id = (select g.member_id from oauth_grants g where ${which}) for share`);
  const grant = await tx.maybeOne(sql.type(grantRow)`
    select g.id, g.site_id, s.organisation_id, s.subscribed_events, g.member_id, g.client_id, g.client_name, g.redirect_uri, g.scopes,
      g.drafts_only, g.code_challenge, g.key_id, g.refresh_hash, g.replaced_hash, g.replaced_at, g.sealed_answer, m.email, case when m.removed_at is null then m.role end as role,
      g.expires_at
    from oauth_grants g join members m on m.id = g.member_id join sites s on s.id = g.site_id
    where ${which} and g.expires_at > ${at(now)} and s.deleting_since is null for update of g`);
  if (grant === null) return null;
  const maintenance = await findMaintenance(tx, grant.site_id);
  if (maintenance !== null) throw underMaintenance(maintenance);
  return grant;
}

/** Ends a grant with all that came of it. */
export async function endGrant({ tx, now }: Pick<Act, 'tx' | 'now'>, grant: Grant): Promise<void> {
  await tx.exec(statement`delete from oauth_grants where id = ${grant.id}`);
  if (grant.key_id === null) return;
  const { organisation_id: organisationId, subscribed_events: subscribedEvents } = grant;
  const site = { id: grant.site_id, organisationId, subscribedEvents };
  const actor = { kind: 'system', name: 'OAuth' } as const;
  await revokeKey({ tx, site, actor, now }, await getKeyForUpdate(tx, grant.site_id, grant.key_id));
}

/** Deletes a batch of grants that have expired, and whose keys have expired long before. @returns how many */
export const deleteExpiredGrants = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, { table: 'oauth_grants', by: 'expires_at', until: now, size });
