import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { createKey } from '../access/keys.ts';
import { hashSecret } from '../access/key-secret.ts';
import { roles } from '../access/permissions.ts';
import { roleCoversScope, scopes as allScopes } from '../access/scopes.ts';
import { recordChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';

/** Live keys of a person for a Site: as many browsers can be open. Another one revokes the oldest. */
const KEYS_OF_PERSON = 10;

/** Where a signed-in person opens a Site. */
export interface Opening {
  readonly session: { readonly id: string; readonly email: string; readonly endsAt: Date };
  readonly memberId: string;
  readonly siteId: string;
}

const memberRow = z.object({ role: z.enum(roles) });
const idRow = z.object({ id: z.string() });
const heldRow = z.object({ role: z.enum(roles), scopes: z.array(z.string()) });

/** The scopes of a person's dashboard: all that their role covers. */
const scopesOf = (role: (typeof roles)[number]) => allScopes.filter((scope) => roleCoversScope(role, scope));

/**
 * Makes a key for the dashboard of a Site, in the person's name. It ends when the session would end without another
 * use, so that a page that nobody attends cannot outlive the session (dashboard/README.md).
 *
 * @returns the secret; null if the session, the membership or the Site has ended meanwhile
 */
export async function openSite(act: Act, opening: Opening): Promise<string | null> {
  const { tx, now } = act;
  const { session, memberId, siteId } = opening;
  // Locked in the order of all who end sessions: the person, the session, keys. One opens after another.
  const member = await tx.maybeOne(sql.type(memberRow)`
    select m.role from members m join sites s on s.organisation_id = m.organisation_id
    where m.id = ${memberId} and m.removed_at is null and s.id = ${siteId} and s.deleting_since is null
    for no key update of m`);
  const active = await tx.maybeOne(sql.type(idRow)`
    select s.id from sessions s join session_members sm on sm.token_hash = s.token_hash
    where s.id = ${session.id} and sm.member_id = ${memberId} for share of s`);
  if (member === null || active === null) return null;
  const { secret } = await createKey(act, {
    siteId,
    memberId,
    name: `Dashboard of ${session.email}`,
    kind: 'secret',
    scopes: scopesOf(member.role),
    heldByAgent: false,
    draftsOnly: false,
    expiresAt: session.endsAt,
    sessionId: session.id,
  });
  await revokeKeys(
    act,
    sql.fragment`k.id in (
      select id from api_keys
      where member_id = ${memberId} and site_id = ${siteId} and ${isLive(now)}
      order by created_at desc, id desc offset ${KEYS_OF_PERSON})`,
  );
  return secret;
}

/** Whether a secret is of a live key of this session for the Site, with all scopes that the person has now. */
export async function isKeyOf(
  db: Queryable,
  { session, memberId, siteId }: Opening,
  secret: string,
  now: Date,
): Promise<boolean> {
  const key = await db.maybeOne(sql.type(heldRow)`
    select m.role, k.scopes from api_keys k
    join members m on m.id = k.member_id and m.removed_at is null
    join sites s on s.id = k.site_id and s.deleting_since is null
    where k.id = (select key_id from api_key_secrets where hash = ${sql.binary(hashSecret(secret))})
      and k.member_id = ${memberId} and k.site_id = ${siteId} and k.session_id = ${session.id} and ${isLive(now)}`);
  return key !== null && key.scopes.length === scopesOf(key.role).length;
}

/** Longer than anything lasts that a key began, such as preview links, and than rows that name it, such as approvals. */
const KEPT_MS = 40 * 24 * 60 * 60_000;

/**
 * Deletes a batch of keys of the dashboard that ended 40 days ago, with their secrets. Those that the audit log names as
 * an actor stay as long as it does: they say whose name it is if a member is erased.
 *
 * @returns how many
 */
export async function deleteEndedKeys(tx: Transaction, now: Date, size: number): Promise<number> {
  const keys = await tx.any(sql.type(idRow)`
    select id from api_keys k
    where k.session_id is not null and k.expires_at < ${at(new Date(now.getTime() - KEPT_MS))}
      and not exists (select from audit_log l where l.site_id = k.site_id and l.actor_id = k.id)
      and not exists (
        select from audit_log l join sites s on s.organisation_id = l.organisation_id
        where s.id = k.site_id and l.site_id is null and l.actor_id = k.id
      )
      and not exists (select from bulk_jobs where key_id = k.id)
      and not exists (select from approvals where key_id = k.id or decided_by_key_id = k.id)
      and not exists (select from device_authorizations where key_id = k.id or deciding_key_id = k.id)
    order by k.expires_at limit ${size} for update skip locked`);
  const ids = array(
    keys.map(({ id }) => id),
    'uuid',
  );
  await tx.exec(statement`delete from api_key_secrets where key_id = any(${ids})`);
  return tx.exec(statement`delete from api_keys where id = any(${ids})`);
}

/** Whether a row of `api_keys` is a key of the dashboard that is neither revoked nor expired. */
const isLive = (now: Date): FragmentSqlToken =>
  sql.fragment`session_id is not null and revoked_at is null and expires_at > ${at(now)}`;

/** Revokes the keys that a member's session has. */
export const revokeKeysOfSession = (act: Act, sessionId: string, memberId: string): Promise<void> =>
  revokeKeys(act, sql.fragment`k.member_id = ${memberId} and k.session_id = ${sessionId}`);

/** Revokes all keys of a member's dashboards. */
export const revokeKeysOfMember = (act: Act, memberId: string): Promise<void> =>
  revokeKeys(act, sql.fragment`k.member_id = ${memberId}`);

const revokedRow = z.object({ id: z.string(), site_id: z.string(), organisation_id: z.string() });

async function revokeKeys(act: Act, which: FragmentSqlToken): Promise<void> {
  const { tx, now } = act;
  const keys = await tx.any(sql.type(revokedRow)`
    update api_keys k set revoked_at = ${at(now)}, version = k.version + 1 from sites s
    where s.id = k.site_id and ${which} and ${isLive(now)} returning k.id, k.site_id, s.organisation_id`);
  for (const { id, site_id: siteId, organisation_id: organisationId } of keys)
    recordChange({ ...act, site: { id: siteId, organisationId } }, 'key.revoke', { type: 'key', id }, {});
}
