import { z } from 'zod';
import { at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { roles } from '../access/permissions.ts';
import type { Role } from '../access/permissions.ts';
import { differences } from '../audit/details.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { addCredits } from '../usage/credits.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { Plan } from '../kernel/plans.ts';

const idRow = z.object({ id: z.string() });

const changeable = z.object({ plan: z.enum(['free', 'pro']), agent_access: z.boolean(), limits: z.number() });

const memberRow = z.object({ organisation_id: z.string(), role: z.enum(roles) });

/** @returns the new organisation's id */
export async function createOrganisation(
  act: Act,
  values: { readonly id?: string; readonly name: string; readonly plan: Plan; readonly credits: number },
): Promise<string> {
  const { tx, now } = act;
  const id = values.id ?? newId();
  await tx.exec(statement`
    insert into organisations (id, name, plan, created_at) values (${id}, ${values.name}, ${values.plan}, ${at(now)})`);
  if (values.credits > 0) await addCredits(tx, id, values.credits, now);
  const { name, plan, credits } = values;
  recordOrganisationChange(act, 'organisation.create', id, targetOf(id), { name, plan, credits });
  return id;
}

/**
 * Updates the given fields. Unchanged values are neither written nor audited.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function updateOrganisation(
  act: Act,
  id: string,
  changes: {
    readonly plan?: Plan | undefined;
    readonly agentAccess?: boolean | undefined;
    /** The factor of its limits and those of its Sites. */
    readonly limits?: number | undefined;
  },
): Promise<void> {
  const { tx } = act;
  const row = await tx.maybeOne(sql.type(changeable)`
    select plan, agent_access, limits from organisations where id = ${id} for no key update`);
  if (row === null) throw notFound('organisation');
  const next = {
    plan: changes.plan ?? row.plan,
    agent_access: changes.agentAccess ?? row.agent_access,
    limits: changes.limits ?? row.limits,
  };
  const details = differences(row, next, ['plan', 'agent_access', 'limits']);
  if (Object.keys(details).length === 0) return;
  await tx.exec(statement`
    update organisations
    set plan = ${next.plan}, agent_access = ${next.agent_access}, limits = ${next.limits}, version = version + 1
    where id = ${id}`);
  recordOrganisationChange(act, 'organisation.update', id, targetOf(id), details);
}

/**
 * @returns the new member's id
 * @throws ServiceError NOT_FOUND for the organisation, CONFLICT if the address already belongs to a member
 */
export async function addMember(
  act: Act,
  values: {
    readonly id?: string;
    readonly organisationId: string;
    readonly email: string;
    readonly role: Role;
  },
): Promise<string> {
  const { tx, now } = act;
  const id = values.id ?? newId();
  const inserted = await tx.exec(statement`
    insert into members (id, organisation_id, email, role, created_at)
    select ${id}, o.id, ${values.email}, ${values.role}, ${at(now)} from organisations o
    where o.id = ${values.organisationId} and o.deleting_since is null for share of o
    on conflict (organisation_id, lower(email)) where removed_at is null do nothing`);
  if (inserted === 0) {
    const exists = await tx.maybeOne(sql.type(idRow)`
      select id from organisations where id = ${values.organisationId}`);
    throw exists === null ? notFound('organisation') : conflict('This address belongs to a member already.');
  }
  recordOrganisationChange(act, 'member.add', values.organisationId, memberTarget(id), { role: values.role });
  return id;
}

/**
 * Changes the role of a member. An unchanged role is not written.
 *
 * @throws ServiceError NOT_FOUND for an unknown or removed member
 */
export async function changeRole(act: Act, id: string, role: Role): Promise<void> {
  const { tx } = act;
  const member = await tx.maybeOne(sql.type(memberRow)`
    select organisation_id, role from members where id = ${id} and removed_at is null for update`);
  if (member === null) throw notFound('member');
  if (member.role === role) return;
  await tx.exec(statement`update members set role = ${role}, version = version + 1 where id = ${id}`);
  await endLinks(tx, id);
  const details = differences(member, { ...member, role }, ['role']);
  recordOrganisationChange(act, 'member.role', member.organisation_id, memberTarget(id), details);
}

/**
 * Ends a membership: from the next request on, every key that the person made has no rights.
 *
 * @throws ServiceError NOT_FOUND for an unknown or removed member
 */
export async function removeMember(act: Act, id: string): Promise<void> {
  const member = await act.tx.maybeOne(sql.type(memberRow)`
    update members set removed_at = ${at(act.now)} where id = ${id} and removed_at is null returning organisation_id, role`);
  if (member === null) throw notFound('member');
  await endLinks(act.tx, id);
  recordOrganisationChange(act, 'member.remove', member.organisation_id, memberTarget(id), {
    role: member.role,
  });
}

/** Ends the links that work once of a member, and those that the member made: they rest on the roles as they were. */
export const endLinks = (tx: Transaction, id: string): Promise<number> =>
  tx.exec(statement`delete from one_time_links where member_id = ${id} or made_by = ${id}`);

const targetOf = (id: string) => ({ type: 'organisation', id });

export const memberTarget = (id: string) => ({ type: 'member', id });
