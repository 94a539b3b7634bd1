import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { roles } from '../access/permissions.ts';
import type { Role } from '../access/permissions.ts';
import { caseless } from '../alphabetical.ts';

const idRow = z.object({ id: z.string() });

/** A session ends when it has not been used for so long. */
const IDLE_MS = 12 * 60 * 60_000;

/** What a browser keeps in its cookie: 256 bits, so that the hash stored of it needs no key. */
export const generateSessionToken = (): string => randomBytes(32).toString('base64url');

const hashToken = (token: string): ReturnType<typeof sql.binary> =>
  sql.binary(createHash('sha256').update(token).digest());

/** Somebody signed in: a person, as a member of one organisation or of several. */
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
 * Signs somebody in for the memberships whose passwords were right, where those still are.
 *
 * @returns the token, or null where a password has been changed, or the person removed, since it was checked
 */
export async function createSession(
  tx: Transaction,
  proven: readonly { readonly memberId: string; readonly passwordHash: string }[],
  now: Date,
): Promise<string | null> {
  // Locked, so that a change of the password comes before, or ends this session.
  const members = await tx.any(sql.type(idRow)`
    select m.id from members m
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

/** The session of a token, used by being looked up; null where it has ended, or nobody in it is a member any more. */
export async function findSession(db: Queryable, token: string, now: Date): Promise<Session | null> {
  const rows = await db.any(sql.type(sessionRow)`
    with used as (
      update sessions set last_used_at = greatest(last_used_at, ${at(now)})
      where token_hash = ${hashToken(token)} and last_used_at > ${at(new Date(now.getTime() - IDLE_MS))}
      returning token_hash
    )
    select m.id as member_id, m.email, m.role, o.id as organisation_id, o.name as organisation_name,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'domain', s.domain) order by ${caseless(sql.fragment`s.name`)}, s.id)
        from sites s where s.organisation_id = o.id
      ), '[]') as sites
    from used
    join session_members sm on sm.token_hash = used.token_hash
    join members m on m.id = sm.member_id and m.removed_at is null
    join organisations o on o.id = m.organisation_id
    order by ${caseless(sql.fragment`o.name`)}, o.id`);
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

export async function endSession(db: Queryable, token: string): Promise<void> {
  await db.exec(statement`delete from sessions where token_hash = ${hashToken(token)}`);
}

/** Ends a member's part in every session. @returns of how many */
export const endSessionsOf = (tx: Transaction, memberId: string): Promise<number> =>
  tx.exec(statement`delete from session_members where member_id = ${memberId}`);

/** Deletes sessions that have ended, a batch at a time. @returns how many */
export function deleteEndedSessions(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from sessions where ctid = any(array(
      select ctid from sessions where last_used_at <= ${at(new Date(now.getTime() - IDLE_MS))}
      order by last_used_at limit ${batch} for update skip locked
    ))`);
}
