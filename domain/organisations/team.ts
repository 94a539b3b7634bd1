import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import type { Caller } from '../access/authenticate.ts';
import type { Site } from '../kernel/site.ts';
import { roleAllows, roles } from '../access/permissions.ts';
import type { Role } from '../access/permissions.ts';
import type { Act } from '../audit/change.ts';
import { notFound, ServiceError } from '../kernel/errors.ts';
import { addMember, changeRole } from './organisations.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';

const memberRow = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  can_sign_in: z.boolean(),
  version: z.number(),
  created_at: timestamp,
});

export type Member = z.infer<typeof memberRow>;

const columns = sql.fragment`id, email, role, password_hash is not null as can_sign_in, version, created_at`;

/** A page of an organisation's members, oldest membership first, without removed ones. */
export function listMembers(db: Queryable, site: Site, request: PageRequest): Promise<Page<Member>> {
  return readPage(site, 'team', request, byId('members', 'asc'), ({ after, order }, count) =>
    db.any(sql.type(memberRow)`
      select ${columns} from members
      where organisation_id = ${site.organisationId} and removed_at is null and ${after} order by ${order} limit ${count}`),
  );
}

/** @throws ServiceError NOT_FOUND, also for a removed member and a member of another organisation */
export async function getMember(db: Queryable, organisationId: string, id: string): Promise<Member> {
  const member = await db.maybeOne(sql.type(memberRow)`
    select ${columns} from members
    where id = ${id} and organisation_id = ${organisationId} and removed_at is null`);
  if (member === null) throw notFound('member');
  return member;
}

/** The context of a change: who changes the team of an organisation, and when. */
export interface TeamChange extends Act {
  readonly organisationId: string;
  readonly caller: Pick<Caller, 'memberId'>;
}

/**
 * Locks a member together with the person who changes them, so that two people who remove each other do so one after
 * the other.
 *
 * @throws ServiceError NOT_FOUND; INSUFFICIENT_SCOPE if the person has just lost their own rights; FORBIDDEN for their
 *   own access, and that of an owner
 */
export async function getMemberForUpdate(change: TeamChange, id: string): Promise<Member> {
  const { tx, organisationId, caller } = change;
  const locked = await tx.any(sql.type(memberRow)`
    select ${columns} from members
    where id = any(${array([caller.memberId, id], 'uuid')}) and organisation_id = ${organisationId} and removed_at is null
    order by id for update`);
  const person = locked.find((member) => member.id === caller.memberId);
  if (person === undefined || !roleAllows(person.role, 'team.manage')) {
    throw new ServiceError(
      'INSUFFICIENT_SCOPE',
      'The person who made this key no longer has the permission team.manage.',
    );
  }
  const member = locked.find((one) => one.id === id);
  if (member === undefined) throw notFound('member');
  if (member.id === caller.memberId) {
    throw forbidden('A key cannot change the access of the person it acts for.');
  }
  if (member.role === 'owner') throw ownership();
  return member;
}

/**
 * Adds a member immediately.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED beyond 50 an hour; FORBIDDEN for an owner, CONFLICT if the address already belongs to a member
 */
export async function inviteMember(change: TeamChange, email: string, role: Role): Promise<Member> {
  const { tx, organisationId } = change;
  refuseOwnership(role);
  await requireRoomToInvite(change);
  const id = await addMember(change, { organisationId, email, role });
  return getMember(tx, organisationId, id);
}

/** Invitations of an organisation in an hour: each is a mail to an address that somebody chose. */
const INVITATIONS = 50;
const HOUR_MS = 60 * 60_000;

const oldestRow = z.object({ at: timestamp });

async function requireRoomToInvite({ tx, organisationId, now }: TeamChange): Promise<void> {
  // Of two requests at once, the second counts the first one's.
  await tx.exec(statement`select from organisations where id = ${organisationId} for no key update`);
  const oldest = await tx.maybeOne(sql.type(oldestRow)`
    select at from audit_log
    where organisation_id = ${organisationId} and site_id is null and action = 'member.add' and actor_kind <> 'system'
      and at > ${at(new Date(now.getTime() - HOUR_MS))}
    order by at desc offset ${INVITATIONS - 1} limit 1`);
  if (oldest === null) return;
  const seconds = Math.max(1, Math.ceil((oldest.at.getTime() + HOUR_MS - now.getTime()) / 1_000));
  throw new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `An organisation invites at most ${INVITATIONS} people an hour. Try again in ${seconds} seconds.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** Changes the role of a member. From the next request on, their keys lose or gain rights within their scopes. */
export async function giveRole(change: TeamChange, current: Member, role: Role): Promise<Member> {
  const { tx, organisationId } = change;
  refuseOwnership(role);
  if (role === current.role) return current;
  await changeRole(change, current.id, role);
  return getMember(tx, organisationId, current.id);
}

/** @throws ServiceError FORBIDDEN for the role of an owner, which no key can give */
export function refuseOwnership(role: Role | undefined): void {
  if (role === 'owner') throw ownership();
}

const forbidden = (message: string): ServiceError => new ServiceError('FORBIDDEN', message);

const ownership = (): ServiceError =>
  forbidden(
    'A key cannot make, change or remove an owner. The operator can, with presswork admin member role.',
  );
