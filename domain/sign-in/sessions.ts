import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { roles } from '../access/permissions.ts';
import type { Role } from '../access/permissions.ts';
import { deleteBatch } from '../batch.ts';
import { caseInsensitive } from '../case-insensitive-order.ts';
import { auditSignIn } from './audit.ts';

const personRow = z.object({ id: z.string(), organisation_id: z.string(), email: z.string() });

/** A session ends when it has not been used for this long. */
const IDLE_MS = 12 * 60 * 60_000;

/** The cookie of a browser: 256 bits, so that its stored hash needs no key. */
export const generateSessionToken = (): string => randomBytes(32).toString('base64url');

const hashToken = (token: string): ReturnType<typeof sql.binary> =>
  sql.binary(createHash('sha256').update(token).digest());

/** A signed-in person, as a member of one or several organisations. */
export interface Session {
  readonly email: string;
  readonly memberships: readonly Membership[];
}

export interface Membership {
  readonly memberId: string;
  readonly role: Role;
  readonly organisationId: string;
  readonly organisationName: string;
  readonly sites: readonly { readonly id: string; readonly name: string; readonly domain: string }[];
}

/**
 * Signs a person in for the memberships whose passwords matched, if they are still valid. Each organisation records it
 * in its audit log.
 *
 * @returns the token, or null if a password was changed or the person removed since the check
 */
export async function createSession(
  tx: Transaction,
  proven: readonly { readonly memberId: string; readonly passwordHash: string }[],
  requestId: string,
  now: Date,
): Promise<string | null> {
  // Locked, so that a change of the password happens either before, or ends this session.
  const members = await tx.any(sql.type(personRow)`
    select m.id, m.organisation_id, m.email from members m
    join unnest(
      ${array(
        proven.map(({ memberId }) => memberId),
        'uuid',
      )},
      ${array(
        proven.map(({ passwordHash }) => passwordHash),
        'text',
      )}
    ) as p (id, password_hash) on p.id = m.id and p.password_hash = m.password_hash
    where m.removed_at is null order by m.id for share of m`);
  if (members.length === 0) return null;
  const token = generateSessionToken();
  await tx.exec(statement`
    insert into sessions (token_hash, created_at, last_used_at) values (${hashToken(token)}, ${at(now)}, ${at(now)})`);
  const ids = members.map(({ id }) => id);
  await tx.exec(statement`
    insert into session_members (token_hash, member_id)
    select ${hashToken(token)}, id from unnest(${array(ids, 'uuid')}) as m (id)`);
  for (const { id, organisation_id: organisationId, email } of members)
    auditSignIn(tx, 'sign_in.succeed', { memberId: id, organisationId, email }, requestId, now);
  return token;
}

const sessionRow = z.object({
  member_id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  organisation_id: z.string(),
  organisation_name: z.string(),
  sites: z.array(z.object({ id: z.string(), name: z.string(), domain: z.string() })),
});

/** Looks up the session of a token, which counts as a use; null if it has ended, or has no members left. */
export async function findSession(db: Queryable, token: string, now: Date): Promise<Session | null> {
  const rows = await db.any(sql.type(sessionRow)`
    with used as (
      update sessions set last_used_at = greatest(last_used_at, ${at(now)})
      where token_hash = ${hashToken(token)} and last_used_at > ${at(new Date(now.getTime() - IDLE_MS))}
      returning token_hash
    )
    select m.id as member_id, m.email, m.role, o.id as organisation_id, o.name as organisation_name,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'domain', s.domain) order by ${caseInsensitive(sql.fragment`s.name`)}, s.id)
        from sites s where s.organisation_id = o.id and s.deleting_since is null
      ), '[]') as sites
    from used
    join session_members sm on sm.token_hash = used.token_hash
    join members m on m.id = sm.member_id and m.removed_at is null
    join organisations o on o.id = m.organisation_id
    order by ${caseInsensitive(sql.fragment`o.name`)}, o.id`);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    email: first.email,
    memberships: rows.map((row) => ({
      memberId: row.member_id,
      role: row.role,
      organisationId: row.organisation_id,
      organisationName: row.organisation_name,
      sites: row.sites,
    })),
  };
}

/** @returns whether the session was still active */
export async function endSession(db: Queryable, token: string): Promise<boolean> {
  return (await db.exec(statement`delete from sessions where token_hash = ${hashToken(token)}`)) > 0;
}

/** Ends a session, once: each organisation of the session records it in its audit log. */
export async function signOut(
  tx: Transaction,
  token: string,
  { email, memberships }: Session,
  requestId: string,
  now: Date,
): Promise<void> {
  if (!(await endSession(tx, token))) return;
  for (const { memberId, organisationId } of memberships)
    auditSignIn(tx, 'sign_in.end', { memberId, organisationId, email }, requestId, now);
}

/** Removes a member from every session. @returns how many */
export const endSessionsOf = (tx: Transaction, memberId: string): Promise<number> =>
  tx.exec(statement`delete from session_members where member_id = ${memberId}`);

/** Deletes a batch of ended sessions. @returns how many */
export function deleteEndedSessions(tx: Transaction, now: Date, size: number): Promise<number> {
  const until = new Date(now.getTime() - IDLE_MS);
  return deleteBatch(tx, { table: 'sessions', by: 'last_used_at', until, size });
}
