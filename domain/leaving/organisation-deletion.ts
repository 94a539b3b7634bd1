import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Actor } from '../audit/record.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { notFound } from '../kernel/errors.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { countDeleted, findDeletion } from './deletion.ts';
import type { Deletion } from './deletion.ts';
import { requestSiteDeletion, requireConfirmation } from './site-deletion.ts';
import type { DeletionRequest } from './site-deletion.ts';

const organisationRow = z.object({ name: z.string(), asked: z.boolean() });
const siteRow = z.object({ id: z.string(), name: z.string() });
const countRow = z.object({ count: z.number() });

/** Who asks for the deletion of the Sites of an organisation that is deleted. */
const deleter: Actor = { kind: 'system', name: 'organisation deletion' };

/**
 * Asks for the deletion of an organisation with all its Sites. From the commit on, the keys of all its Sites are
 * refused. A second request is for the same deletion.
 *
 * @throws ServiceError NOT_FOUND; VALIDATION_FAILED for another name
 */
export async function requestOrganisationDeletion(
  act: Act,
  organisationId: string,
  { confirm, by }: DeletionRequest,
): Promise<Deletion> {
  const { tx, now } = act;
  // The strongest lock: a Site or a member that is being added is either seen below, or sees that this was asked for.
  const organisation = await tx.maybeOne(sql.type(organisationRow)`
    select name, deleting_since is not null as asked from organisations where id = ${organisationId} for update`);
  if (organisation === null) {
    const finished = await findDeletion(tx, organisationId);
    if (finished === null) throw notFound('organisation');
    return finished;
  }
  requireConfirmation(confirm, organisation.name);
  if (!organisation.asked) {
    await tx.exec(statement`
      insert into deletions (target_id, kind, organisation_id, asked_at, asked_by, quiet_at)
      values (${organisationId}, 'organisation', ${organisationId}, ${at(now)}, ${by}, ${at(now)})`);
    await tx.exec(
      statement`update organisations set deleting_since = ${at(now)} where id = ${organisationId}`,
    );
    const target = { type: 'organisation', id: organisationId };
    recordOrganisationChange(act, 'organisation.delete', organisationId, target, { by });
  }
  await requestDeletionOfSites(act, organisationId, by);
  signalWorkflow(tx, 'organisation-deletion', { organisationId }, now);
  const deletion = await findDeletion(tx, organisationId);
  if (deletion === null) throw new Error('An organisation that is being deleted has no deletion');
  return deletion;
}

async function requestDeletionOfSites(act: Act, organisationId: string, by: string): Promise<void> {
  const sites = await act.tx.any(sql.type(siteRow)`
    select id, name from sites where organisation_id = ${organisationId} order by id`);
  for (const { id, name } of sites) await requestSiteDeletion(act, id, { confirm: name, by });
}

/** How many Sites of the organisation are not deleted yet. */
export async function countSites(db: Queryable, organisationId: string): Promise<number> {
  const { count } = await db.one(sql.type(countRow)`
    select count(*)::int as count from sites where organisation_id = ${organisationId}`);
  return count;
}

/** Asks for the deletion of Sites that were added after the request, if there are any. */
export async function requestLateSites(tx: Transaction, organisationId: string, now: Date): Promise<void> {
  const deletion = await findDeletion(tx, organisationId);
  if (deletion === null) return;
  const late = await tx.any(sql.type(siteRow)`
    select id, name from sites where organisation_id = ${organisationId} and deleting_since is null order by id`);
  for (const { id, name } of late)
    await requestSiteDeletion({ tx, actor: deleter, now }, id, { confirm: name, by: deletion.asked_by });
}

interface OrganisationTable {
  readonly name: string;
  readonly ofOrganisation: (organisationId: string) => FragmentSqlToken;
  readonly exported: boolean;
  /** The ledger is kept: the law asks for records of sales, and they hold nothing but ids and amounts. */
  readonly kept?: true;
}

const ofMembers = (organisationId: string): FragmentSqlToken =>
  sql.fragment`member_id in (select id from members where organisation_id = ${organisationId}::uuid)`;
const byOrganisation = (organisationId: string): FragmentSqlToken =>
  sql.fragment`organisation_id = ${organisationId}::uuid`;

/** The tables with rows of an organisation that belong to none of its Sites, in the order of their deletion. */
export const organisationTables: readonly OrganisationTable[] = [
  { name: 'session_members', ofOrganisation: ofMembers, exported: false },
  { name: 'pending_sign_ins', ofOrganisation: ofMembers, exported: false },
  { name: 'one_time_links', ofOrganisation: ofMembers, exported: false },
  { name: 'recovery_codes', ofOrganisation: ofMembers, exported: false },
  { name: 'second_factors', ofOrganisation: ofMembers, exported: false },
  { name: 'device_authorizations', ofOrganisation: ofMembers, exported: false },
  {
    name: 'notifications',
    ofOrganisation: (id) => sql.fragment`${ofMembers(id)} and site_id is null`,
    exported: true,
  },
  {
    name: 'audit_log',
    ofOrganisation: (id) => sql.fragment`organisation_id = ${id}::uuid and site_id is null`,
    exported: true,
  },
  { name: 'credit_ledger', ofOrganisation: byOrganisation, exported: true, kept: true },
  { name: 'billing_payments', ofOrganisation: byOrganisation, exported: true },
  { name: 'billing_subscriptions', ofOrganisation: byOrganisation, exported: true },
  { name: 'billing_accounts', ofOrganisation: byOrganisation, exported: true },
  { name: 'overage_days', ofOrganisation: byOrganisation, exported: true },
  { name: 'overage_invoices', ofOrganisation: byOrganisation, exported: true },
  { name: 'members', ofOrganisation: byOrganisation, exported: true },
  { name: 'organisations', ofOrganisation: (id) => sql.fragment`id = ${id}::uuid`, exported: true },
];

/**
 * Deletes a batch of the rows of an organisation that has no Sites left, and writes the receipt after the last one.
 *
 * @returns how many rows were deleted; 0 once nothing is left
 */
export async function deleteOrganisationRows(
  tx: Transaction,
  organisationId: string,
  size: number,
  now: Date,
): Promise<number> {
  for (const { name, ofOrganisation, kept } of organisationTables) {
    if (kept) continue;
    const table = sql.identifier([name]);
    const deleted = await tx.exec(statement`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${ofOrganisation(organisationId)} limit ${size}))`);
    await countDeleted(tx, organisationId, name, deleted);
    if (deleted > 0) return deleted;
  }
  await tx.exec(statement`
    update deletions set finished_at = ${at(now)} where target_id = ${organisationId} and finished_at is null`);
  return 0;
}

/**
 * How many rows of each table a deletion of the organisation would delete, without its Sites and empty tables.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function countOrganisationRows(
  db: Queryable,
  organisationId: string,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { name, ofOrganisation, kept } of organisationTables) {
    if (kept) continue;
    const { count } = await db.one(sql.type(countRow)`
      select count(*)::int as count from ${sql.identifier([name])} where ${ofOrganisation(organisationId)}`);
    if (count > 0) counts[name] = count;
  }
  if (counts['organisations'] === undefined) throw notFound('organisation');
  return counts;
}
