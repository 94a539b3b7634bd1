import { z } from 'zod';
import { at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { recordChange } from '../audit/change.ts';
import type { Actor } from '../audit/record.ts';
import { firstOccurrence } from '../articles/scheduling-time.ts';
import { conflict } from '../kernel/errors.ts';
import type { ServiceError } from '../kernel/errors.ts';
import { refuseWithoutEntitlement } from '../kernel/entitlement.ts';
import { notify } from '../notifications/notify.ts';
import { createRun } from './create-run.ts';
import type { WriterName } from './run.ts';

const autopilot: Actor = { kind: 'system', name: 'autopilot' };

const dueRow = z.object({
  organisation_id: z.string(),
  plan: z.enum(['free', 'pro']),
  items: z.number(),
  enabled: z.boolean(),
  last_firing: z.string().nullable(),
  timezone: z.string(),
  subscribed_events: z.array(z.string()),
});
const idRow = z.object({ id: z.string() });

/** A firing of a Site's Schedule. */
export interface Firing {
  readonly siteId: string;
  /** Its workflow's id, which names the time. */
  readonly id: string;
}

/**
 * The result of a firing. `off`: the Site has switched it off, this firing did something before, or the firing at the first
 * occurrence of the same wall time did. `gone`: there is no such Site.
 */
export type FiringOutcome =
  | { readonly kind: 'started'; readonly runId: string; readonly articles: number }
  | { readonly kind: 'off' }
  | { readonly kind: 'gone' };

/**
 * Starts a run with the first approved items of the plan, through the gates of every run. A firing starts one run,
 * however often this is called.
 *
 * @throws ServiceError that a run would be refused with
 */
export async function fireAutopilot(
  tx: Transaction,
  { siteId, id }: Firing,
  writer: WriterName,
  now: Date,
): Promise<FiringOutcome> {
  const row = await tx.maybeOne(sql.type(dueRow)`
    select s.organisation_id, s.timezone, s.subscribed_events, o.plan, a.items, a.enabled, a.last_firing
    from autopilots a join sites s on s.id = a.site_id join organisations o on o.id = s.organisation_id
    where a.site_id = ${siteId} and s.deleting_since is null for no key update of a`);
  if (row === null) return { kind: 'gone' };
  const firedBefore = [id, firstOf(id, row.timezone)].includes(row.last_firing ?? '');
  if (!row.enabled || firedBefore) return { kind: 'off' };
  const refusal = refuseWithoutEntitlement(row);
  if (refusal !== null) throw refusal;
  const planItemIds = await firstApproved(tx, siteId, row.items);
  if (planItemIds.length === 0)
    throw conflict('There is nothing to do: no item of the content plan is approved.');

  const site = { id: siteId, organisationId: row.organisation_id, subscribedEvents: row.subscribed_events };
  const run = await createRun({ tx, actor: autopilot, now }, site, { planItemIds }, writer);
  const articles = run.articles.length;
  recordChange(
    { tx, site, actor: autopilot, now },
    'pipeline.run',
    { type: 'pipeline_run', id: run.id },
    { articles },
  );
  await tx.exec(statement`
    update autopilots set last_firing = ${id}, last_at = ${at(now)}, last_run_id = ${run.id}, last_error_code = null,
      last_error_message = null
    where site_id = ${siteId}`);
  return { kind: 'started', runId: run.id, articles };
}

const timeAtEnd = /-(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/;

/**
 * The id of the firing at the first occurrence of its wall time. Of a time that occurs twice, a Schedule fires at both
 * in America/New_York, and only at the second in Europe/Berlin.
 */
function firstOf(id: string, timezone: string): string {
  const time = timeAtEnd.exec(id)?.[1];
  if (time === undefined) return id;
  const first = firstOccurrence(new Date(time), timezone).toISOString().replace('.000Z', 'Z');
  return id.slice(0, -time.length) + first;
}

async function firstApproved(tx: Transaction, siteId: string, count: number): Promise<string[]> {
  const rows = await tx.any(sql.type(idRow)`
    select id from plan_items where site_id = ${siteId} and status = 'approved' order by rank limit ${count}`);
  return rows.map(({ id }) => id);
}

/** Records that the gates of a run refused a firing. */
export async function recordRefusal(
  tx: Transaction,
  { siteId, id }: Firing,
  { code, message }: ServiceError,
  now: Date,
): Promise<void> {
  const refused = await tx.exec(statement`
    update autopilots set last_firing = ${id}, last_at = ${at(now)}, last_run_id = null, last_error_code = ${code},
      last_error_message = ${message}
    where site_id = ${siteId} and last_firing is distinct from ${id}`);
  if (refused > 0) notify(tx, { kind: 'autopilot.refused', siteId, actor: autopilot, target: null }, now);
}
