import type { Queryable } from '../../db/statements.ts';
import { array, at, sql } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Actor } from '../audit/record.ts';
import { ServiceError } from '../kernel/errors.ts';
import { roleAllows, roles } from './permissions.ts';
import type { Permission } from './permissions.ts';
import { z } from 'zod';

/** The key for which something goes on after its request; null for the service's own work. */
export const makerOf = (actor: Actor): string | null => (actor.kind === 'key' ? actor.id : null);

/**
 * The condition that a key's work may go on: the key is valid, agents have access if one holds it, it is not for drafts
 * only if readers see the work, and its person is a member who has the permission (docs/spec/rulings.md, 23, Revocation
 * ends what was queued). A key of the dashboard stands for its person, because it ends whenever they sign out.
 *
 * @param keyId by `makerOf`
 */
export const mayGoOn = (keyId: FragmentSqlToken, permission: Permission, now: Date): FragmentSqlToken =>
  sql.fragment`
    (${keyId} is null or exists (
      select from api_keys maker
      join members person on person.id = maker.member_id
      join organisations org on org.id = person.organisation_id
      where maker.id = ${keyId} and person.removed_at is null
        and person.role = any(${array(rolesWith(permission), 'text')})
        and (not maker.held_by_agent or org.agent_access)
        and not (maker.drafts_only and ${permission === 'articles.publish'})
        and (maker.session_id is not null
          or (maker.revoked_at is null and coalesce(maker.expires_at, 'infinity') > ${at(now)}))
    ))`;

const allowedRow = z.object({ allowed: z.boolean() });

/** The same as a question. */
export async function keyMayGoOn(
  db: Queryable,
  keyId: string | null,
  permission: Permission,
  now: Date,
): Promise<boolean> {
  if (keyId === null) return true;
  const { allowed } = await db.one(sql.type(allowedRow)`
    select ${mayGoOn(sql.fragment`${keyId}::uuid`, permission, now)} as allowed`);
  return allowed;
}

const rolesWith = (permission: Permission): readonly string[] =>
  roles.filter((role) => roleAllows(role, permission));

/** The error of work that may not go on. */
export const stoppedByRevocation = (): ServiceError =>
  new ServiceError(
    'INSUFFICIENT_SCOPE',
    'The key that began this may no longer do it: it was revoked or has expired, agents have no access, or its person has left or lost the permission.',
  );
