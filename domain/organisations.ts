import { z } from 'zod';
import type { Transaction } from '../db/transaction.ts';
import { at, sql, statement } from '../db/sql.ts';
import type { Role } from './access/permissions.ts';
import { recordAudit } from './audit.ts';
import type { Actor } from './audit.ts';
import { addCredits } from './credits.ts';
import { conflict, notFound } from './errors.ts';
import { newId } from './ids.ts';
import type { Plan } from './plans.ts';

const idRow = z.object({ id: z.string() });

const changeable = z.object({ plan: z.enum(['free', 'pro']), agent_access: z.boolean() });

/** @returns the new organisation's id */
export async function createOrganisation(
  tx: Transaction,
  actor: Actor,
  values: { readonly id?: string; readonly name: string; readonly plan: Plan; readonly credits: number },
  now: Date,
): Promise<string> {
  const id = values.id ?? newId();
  await tx.exec(statement`
    insert into organisations (id, name, plan, created_at) values (${id}, ${values.name}, ${values.plan}, ${at(now)})`);
  if (values.credits > 0) await addCredits(tx, id, values.credits, now);
  await audit(tx, actor, 'organisation.create', id, { plan: values.plan, credits: values.credits }, now);
  return id;
}

/**
 * Changes what is given. What is as it was already is neither written nor audited.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function updateOrganisation(
  tx: Transaction,
  actor: Actor,
  id: string,
  changes: { readonly plan?: Plan | undefined; readonly agentAccess?: boolean | undefined },
  now: Date,
): Promise<void> {
  const row = await tx.maybeOne(sql.type(changeable)`
    select plan, agent_access from organisations where id = ${id} for no key update`);
  if (row === null) throw notFound('organisation');
  const { plan = row.plan, agentAccess = row.agent_access } = changes;
  if (plan === row.plan && agentAccess === row.agent_access) return;
  await tx.exec(statement`
    update organisations set plan = ${plan}, agent_access = ${agentAccess}, version = version + 1
    where id = ${id}`);
  await audit(tx, actor, 'organisation.update', id, changes, now);
}

/**
 * @returns the new member's id
 * @throws ServiceError NOT_FOUND for the organisation, CONFLICT where the address is a member's already
 */
export async function addMember(
  tx: Transaction,
  actor: Actor,
  values: {
    readonly id?: string;
    readonly organisationId: string;
    readonly email: string;
    readonly role: Role;
  },
  now: Date,
): Promise<string> {
  const id = values.id ?? newId();
  const inserted = await tx.exec(statement`
    insert into members (id, organisation_id, email, role, created_at)
    select ${id}, o.id, ${values.email}, ${values.role}, ${at(now)} from organisations o where o.id = ${values.organisationId}
    on conflict (organisation_id, lower(email)) where removed_at is null do nothing`);
  if (inserted === 0) {
    const exists = await tx.maybeOne(sql.type(idRow)`
      select id from organisations where id = ${values.organisationId}`);
    throw exists === null ? notFound('organisation') : conflict('This address belongs to a member already.');
  }
  await memberAudit(tx, actor, 'member.add', id, { role: values.role }, now);
  return id;
}

/** @throws ServiceError NOT_FOUND for an unknown or removed member */
export async function changeRole(
  tx: Transaction,
  actor: Actor,
  id: string,
  role: Role,
  now: Date,
): Promise<void> {
  const found = await tx.exec(statement`
    update members set role = ${role}, version = version + 1 where id = ${id} and removed_at is null`);
  if (found === 0) throw notFound('member');
  await memberAudit(tx, actor, 'member.role', id, { role }, now);
}

/**
 * Ends a membership: every key the person made loses its rights with the next request.
 *
 * @throws ServiceError NOT_FOUND for an unknown or removed member
 */
export async function removeMember(tx: Transaction, actor: Actor, id: string, now: Date): Promise<void> {
  const found = await tx.exec(statement`
    update members set removed_at = ${at(now)} where id = ${id} and removed_at is null`);
  if (found === 0) throw notFound('member');
  await memberAudit(tx, actor, 'member.remove', id, {}, now);
}

const audit = (
  tx: Transaction,
  actor: Actor,
  action: string,
  id: string,
  details: object,
  now: Date,
): Promise<void> =>
  recordAudit(
    tx,
    {
      actor,
      action,
      target: { type: 'organisation', id },
      siteId: null,
      organisationId: id,
      details: { ...details },
    },
    now,
  );

async function memberAudit(
  tx: Transaction,
  actor: Actor,
  action: string,
  id: string,
  details: object,
  now: Date,
): Promise<void> {
  const { organisation_id: organisationId } = await tx.one(sql.type(
    z.object({ organisation_id: z.string() }),
  )`
    select organisation_id from members where id = ${id}`);
  const target = { type: 'member', id };
  await recordAudit(
    tx,
    { actor, action, target, siteId: null, organisationId, details: { ...details } },
    now,
  );
}
