import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { roles } from '../access/permissions.ts';
import type { Role } from '../access/permissions.ts';
import type { Act } from '../audit/change.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { caseInsensitive } from '../kernel/case-insensitive-order.ts';
import { newId } from '../kernel/ids.ts';
import { auditSignIn } from './audit.ts';
import { revokeKeysOfMember, revokeKeysOfSession } from './dashboard-keys.ts';
import { hashToken } from './tokens.ts';

/** A session ends when it has not been used for this long, */
const IDLE_MS = 12 * 60 * 60_000;
/** and in any case this long after the sign-in (docs/spec/rulings.md, 16). */
const LONGEST_MS = 7 * 24 * 60 * 60_000;

/** A signed-in person, as a member of one or several organisations. */
export interface Session {
  readonly id: string;
  readonly createdAt: Date;
  /** When it ends if it is not used again. */
  readonly endsAt: Date;
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

/** Longer than that of any browser. */
const BROWSER_LENGTH = 300;

/** Begins a session of members. @param browser the User-Agent */
export async function insertSession(
  tx: Transaction,
  token: string,
  memberIds: readonly string[],
  browser: string,
  now: Date,
): Promise<void> {
  await tx.exec(statement`
    insert into sessions (token_hash, id, browser, created_at, last_used_at)
    values (${hashToken(token)}, ${newId()}, ${browser.slice(0, BROWSER_LENGTH)}, ${at(now)}, ${at(now)})`);
  await tx.exec(statement`
    insert into session_members (token_hash, member_id)
    select ${hashToken(token)}, id from unnest(${array([...memberIds], 'uuid')}) as m (id)`);
}

const sessionRow = z.object({
  id: z.string(),
  created_at: timestamp,
  last_used_at: timestamp,
  member_id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  organisation_id: z.string(),
  organisation_name: z.string(),
  sites: z.array(z.object({ id: z.string(), name: z.string(), domain: z.string() })),
});

/** Whether a row of `sessions` is one that has not ended. */
export const isLive = (now: Date): FragmentSqlToken => sql.fragment`
  last_used_at > ${at(new Date(now.getTime() - IDLE_MS))} and created_at > ${at(new Date(now.getTime() - LONGEST_MS))}`;

/** When a session ends if it is not used again. */
export const endOf = (session: { readonly created_at: Date; readonly last_used_at: Date }): Date =>
  new Date(Math.min(session.last_used_at.getTime() + IDLE_MS, latestEnd(session.created_at).getTime()));

/** When a session ends, however much it is used. */
const latestEnd = (createdAt: Date): Date => new Date(createdAt.getTime() + LONGEST_MS);

/**
 * Looks up the session of a token; null if it has ended, or has no members left.
 *
 * @param isUse whether it is used now, which keeps it from ending for another 12 hours
 */
export async function findSession(
  db: Queryable,
  token: string,
  now: Date,
  isUse: boolean,
): Promise<Session | null> {
  const rows = await db.any(sql.type(sessionRow)`
    with used as (
      update sessions set last_used_at = greatest(last_used_at, ${isUse ? at(now) : null}::timestamptz)
      where token_hash = ${hashToken(token)} and ${isLive(now)}
      returning token_hash, id, created_at, last_used_at
    )
    select used.id, used.created_at, used.last_used_at, m.id as member_id, m.email, m.role, o.id as organisation_id, o.name as organisation_name,
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
    id: first.id,
    createdAt: first.created_at,
    endsAt: endOf(first),
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

/** Records that a session has been used, by a request that does not look it up. */
export async function noteUse(db: Queryable, id: string, now: Date): Promise<void> {
  await db.exec(statement`
    update sessions set last_used_at = greatest(last_used_at, ${at(now)}) where id = ${id} and ${isLive(now)}`);
}

/**
 * Ends a session and its dashboard keys, once: each organisation of the session records it in its audit log.
 */
export async function signOut(
  tx: Transaction,
  { id, email, memberships }: Session,
  requestId: string,
  now: Date,
): Promise<void> {
  if ((await tx.exec(statement`delete from sessions where id = ${id}`)) === 0) return;
  for (const { memberId, organisationId } of memberships) {
    const actor = { kind: 'person', id: memberId, name: email, requestId } as const;
    await revokeKeysOfSession({ tx, actor, now }, id, memberId);
    auditSignIn(tx, 'sign_in.end', { memberId, organisationId, email }, requestId, now);
  }
}

/** Removes a member from every session and sign-in, and ends their dashboard keys. @returns from how many sessions */
export async function endSessionsOf(act: Act, memberId: string): Promise<number> {
  const ended = await act.tx.exec(statement`delete from session_members where member_id = ${memberId}`);
  await act.tx.exec(statement`delete from pending_sign_ins where member_id = ${memberId}`);
  await revokeKeysOfMember(act, memberId);
  return ended;
}

/** Deletes a batch of ended sessions. @returns how many */
export function deleteEndedSessions(tx: Transaction, now: Date, size: number): Promise<number> {
  const until = new Date(now.getTime() - IDLE_MS);
  return deleteBatch(tx, { table: 'sessions', by: 'last_used_at', until, size });
}
