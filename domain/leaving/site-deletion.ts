import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { recordOrganisationChange } from '../audit/change.ts';
import type { Act } from '../audit/change.ts';
import { notFound, validationFailed } from '../kernel/errors.ts';
import { endRun } from '../pipeline/run-lifecycle.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { countDeleted, findDeletion } from './deletion.ts';
import type { Deletion } from './deletion.ts';
import { siteTables } from './site-tables.ts';
import type { SiteTable } from './site-tables.ts';

/**
 * After this long, every request that began before its key was refused has ended: its body takes at most 30 s to
 * arrive, and its transaction 11 s (db/timeouts.ts).
 */
const REQUESTS_END_MS = 60_000;

const siteRow = z.object({ name: z.string(), organisation_id: z.string(), asked: z.boolean() });
const idRow = z.object({ id: z.string() });
const quietRow = z.object({ quiet_at: timestamp });
const countRow = z.object({ count: z.number() });

export interface DeletionRequest {
  /** The name of the deleted object, typed by the operator. */
  readonly confirm: string;
  /** The operator. */
  readonly by: string;
}

/** @throws ServiceError VALIDATION_FAILED if the typed name is not that of the object to delete */
export function requireConfirmation(confirm: string, name: string): void {
  if (confirm !== name) throw validationFailed({ confirm: `must be the name, exactly as it is: ${name}` });
}

/**
 * Asks for the deletion of a Site. From the commit on, its keys are refused and no webhook is sent; the workflow deletes
 * everything else. A second request is for the same deletion: it changes nothing, and starts the workflow again if it
 * was terminated.
 *
 * @throws ServiceError NOT_FOUND; VALIDATION_FAILED for another name
 */
export async function requestSiteDeletion(
  act: Act,
  siteId: string,
  { confirm, by }: DeletionRequest,
): Promise<Deletion> {
  const { tx, now } = act;
  // Endpoints are locked before their Site, as by changes of them.
  await tx.exec(
    statement`select from webhook_endpoints where site_id = ${siteId} order by id for no key update`,
  );
  const site = await tx.maybeOne(sql.type(siteRow)`
    select name, organisation_id, deleting_since is not null as asked from sites where id = ${siteId} for no key update`);
  if (site === null) {
    const finished = await findDeletion(tx, siteId);
    if (finished === null) throw notFound('Site');
    return finished;
  }
  requireConfirmation(confirm, site.name);
  if (!site.asked) {
    await tx.exec(statement`
      insert into deletions (target_id, kind, organisation_id, asked_at, asked_by, quiet_at)
      values (${siteId}, 'site', ${site.organisation_id}, ${at(now)}, ${by}, ${at(new Date(now.getTime() + REQUESTS_END_MS))})`);
    await tx.exec(statement`update sites set deleting_since = ${at(now)} where id = ${siteId}`);
    await tx.exec(statement`
      update webhook_endpoints set enabled = false, disabled_reason = 'the Site is being deleted', disabled_at = ${at(now)}
      where site_id = ${siteId} and enabled`);
    const target = { type: 'site', id: siteId };
    recordOrganisationChange(act, 'site.delete', site.organisation_id, target, { name: site.name, by });
  }
  signalWorkflow(tx, 'site-deletion', { siteId }, now);
  const deletion = await findDeletion(tx, siteId);
  if (deletion === null) throw new Error('A Site that is being deleted has no deletion');
  return deletion;
}

/** Runs of the Site that have not ended. */
export const findGoingRuns = (db: Queryable, siteId: string): Promise<readonly { readonly id: string }[]> =>
  db.any(sql.type(idRow)`
    select id from pipeline_runs where site_id = ${siteId} and status in ('queued', 'running') order by id limit 1000`);

/** Ends a run whose workflow was terminated. The charge of open stages is refunded to the organisation. */
export async function stopRun(tx: Transaction, siteId: string, runId: string, now: Date): Promise<void> {
  await endRun(tx, siteId, runId, 'cancelled', now);
}

/** An upload by a URL that is still valid may arrive this much later. */
const UPLOAD_MS = 60_000;

/**
 * Postpones the last sweep until the Site's upload URLs have expired.
 *
 * @returns its time; null if the Site is deleted already
 */
export async function readQuietTime(db: Queryable, siteId: string): Promise<Date | null> {
  const row = await db.maybeOne(sql.type(quietRow)`
    update deletions d set quiet_at = greatest(d.quiet_at, (
      select max(r.url_expires_at) + ${`${UPLOAD_MS} milliseconds`}::interval from upload_reservations r where r.site_id = d.target_id
    ))
    where d.target_id = ${siteId} and d.kind = 'site' and d.finished_at is null
    returning d.quiet_at`);
  return row?.quiet_at ?? null;
}

/** The tables whose rows are deleted in batches, in their order. */
export const deletedTables = siteTables.filter(
  ({ name, deletion }) => (deletion === 'batches' || deletion === 'last') && name !== 'sites',
);

/**
 * Deletes a batch of a Site's rows of a table, and counts them in the receipt.
 *
 * @returns how many; 0 if none is left
 */
export async function deleteRows(
  tx: Transaction,
  siteId: string,
  table: SiteTable,
  size: number,
): Promise<number> {
  await prepareDeletion(tx, siteId, table);
  const name = sql.identifier([table.name]);
  const deleted = await tx.exec(statement`
    delete from ${name} where ctid = any(array(select ctid from ${name} where ${table.ofSite(siteId)} limit ${size}))`);
  await countDeleted(tx, siteId, table.name, deleted);
  return deleted;
}

/** The work before the deletion of some rows. */
async function prepareDeletion(tx: Transaction, siteId: string, { name }: SiteTable): Promise<void> {
  // The two tables refer to each other.
  if (name === 'prompt_versions')
    await tx.exec(statement`
      update prompts set active_version = null where site_id = ${siteId} and active_version is not null`);
  // Housekeeping removes rows that a transaction adds to the queue or log of an endpoint it has still seen.
  if (name === 'webhook_endpoints')
    await tx.exec(statement`
      insert into deleted_webhook_endpoints (id, deleted_at)
      select id, now() from webhook_endpoints where site_id = ${siteId} on conflict (id) do nothing`);
}

/**
 * Deletes the Site itself, and writes the receipt. Does nothing if that was done before.
 *
 * @throws an error of a foreign key if the Site has rows again, written by a transaction that was still open
 */
export async function finishSiteDeletion(tx: Transaction, siteId: string, now: Date): Promise<void> {
  for (const table of siteTables.filter(({ deletion }) => deletion === 'last'))
    await deleteRows(tx, siteId, table, 1_000_000);
  await tx.exec(statement`
    update deletions set finished_at = ${at(now)} where target_id = ${siteId} and finished_at is null`);
}

/** How many rows of each table a deletion would delete, without empty tables. @throws ServiceError NOT_FOUND */
export async function countRows(db: Queryable, siteId: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of siteTables.filter(({ deletion }) => deletion !== 'kept')) {
    const count = await countOf(db, table.name, table.ofSite(siteId));
    if (count > 0) counts[table.name] = count;
  }
  if (counts['sites'] === undefined) throw notFound('Site');
  return counts;
}

async function countOf(db: Queryable, table: string, where: FragmentSqlToken): Promise<number> {
  const { count } = await db.one(sql.type(countRow)`
    select count(*)::int as count from ${sql.identifier([table])} where ${where}`);
  return count;
}
