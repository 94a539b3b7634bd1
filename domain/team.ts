import { z } from 'zod';
import type { Transaction } from '../db/transaction.ts';
import type { Queryable } from '../db/statements.ts';
import { array, sql, timestamp } from '../db/sql.ts';
import type { Caller, Site } from './access/authenticate.ts';
import { roleAllows, roles } from './access/permissions.ts';
import type { Role } from './access/permissions.ts';
import type { Actor } from './audit.ts';
import { notFound, ServiceError } from './errors.ts';
import { addMember, changeRole, removeMember } from './organisations.ts';
import { readPage } from './page.ts';
import type { Page, PageRequest } from './page.ts';

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

/** A page of the people of an organisation, oldest membership first; removed ones are not in it. */
export function listMembers(db: Queryable, site: Site, request: PageRequest): Promise<Page<Member>> {
  return readPage(
    { key: site.cursorKey, query: 'team' },
    request,
    (after, count) => {
      const behind = after === null ? sql.fragment`` : sql.fragment`and id > ${after.id}`;
      return db.any(sql.type(memberRow)`
        select ${columns} from members
        where organisation_id = ${site.organisationId} and removed_at is null ${behind} order by id limit ${count}`);
    },
    (row) => ({ key: null, id: row.id }),
  );
}

/** @throws ServiceError NOT_FOUND, also for a removed member and one of another organisation */
export async function getMember(db: Queryable, organisationId: string, id: string): Promise<Member> {
  const member = await db.maybeOne(sql.type(memberRow)`
    select ${columns} from members
    where id = ${id} and organisation_id = ${organisationId} and removed_at is null`);
  if (member === null) throw notFound('member');
  return member;
}

/** Who changes the team of an organisation, and when. */
export interface TeamChange {
  readonly tx: Transaction;
  readonly organisationId: string;
  readonly caller: Pick<Caller, 'memberId'>;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Locks a member together with the person who changes them, so that of two who remove each other one comes first.
 *
 * @throws ServiceError NOT_FOUND; INSUFFICIENT_SCOPE where the person has just lost their own rights; FORBIDDEN for
 *   their own access, and that of an owner
 */
export async function getMemberForChange(change: TeamChange, id: string): Promise<Member> {
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
    throw forbidden(
      'Nobody changes their own access by a key, nor does an agent that of the person it acts for.',
    );
  }
  if (member.role === 'owner') throw ownership();
  return member;
}

/**
 * Makes somebody a member, at once.
 *
 * @throws ServiceError FORBIDDEN for an owner, CONFLICT where the address is a member's already
 */
export async function inviteMember(change: TeamChange, email: string, role: Role): Promise<Member> {
  const { tx, organisationId, actor, now } = change;
  if (role === 'owner') throw ownership();
  const id = await addMember(tx, actor, { organisationId, email, role }, now);
  return getMember(tx, organisationId, id);
}

/** Gives a member another role; their keys are narrowed, or widened within their scopes, with the next request. */
export async function giveRole(change: TeamChange, current: Member, role: Role): Promise<Member> {
  const { tx, organisationId, actor, now } = change;
  if (role === 'owner') throw ownership();
  if (role === current.role) return current;
  await changeRole(tx, actor, current.id, role, now);
  return getMember(tx, organisationId, current.id);
}

/** Ends a membership; what its keys do is refused from the next request on. */
export const endMembership = ({ tx, actor, now }: TeamChange, current: Member): Promise<void> =>
  removeMember(tx, actor, current.id, now);

export const presentMember = (member: Member) => ({
  id: member.id,
  email: member.email,
  role: member.role,
  can_sign_in: member.can_sign_in,
  created_at: member.created_at.toISOString(),
});

const forbidden = (message: string): ServiceError => new ServiceError('FORBIDDEN', message);

const ownership = (): ServiceError =>
  forbidden(
    'No key makes, changes or removes an owner. The operator does it, with presswork admin member role.',
  );
