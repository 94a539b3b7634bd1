import { z } from 'zod';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const settings = z.object({
  enabled: z.boolean(),
  weekdays: z.array(z.enum(weekdays)),
  /** `HH:MM` in the timezone of the Site. */
  time: z.string(),
  /** How many items a firing starts at most. */
  items: z.number(),
});

const autopilotRow = settings.extend({
  revision: z.number(),
  last_at: timestamp.nullable(),
  last_run_id: z.string().nullable(),
  last_error_code: z.string().nullable(),
  last_error_message: z.string().nullable(),
});

export type Autopilot = z.infer<typeof autopilotRow>;

const names = ['enabled', 'weekdays', 'time', 'items'] as const;

export type AutopilotChanges = { readonly [Name in (typeof names)[number]]?: Autopilot[Name] | undefined };

/** Of a Site that has changed nothing. */
const defaults: Autopilot = {
  enabled: false,
  weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  time: '09:00',
  items: 1,
  revision: 0,
  last_at: null,
  last_run_id: null,
  last_error_code: null,
  last_error_message: null,
};

const columns = sql.fragment`
  enabled, weekdays, time, items, revision, last_at, last_run_id, last_error_code, last_error_message`;

export async function readAutopilot(db: Queryable, siteId: string): Promise<Autopilot> {
  const row = await db.maybeOne(sql.type(autopilotRow)`
    select ${columns} from autopilots where site_id = ${siteId}`);
  return row ?? defaults;
}

/** Reads the settings, and locks them until the transaction ends; the first ones too. */
export async function getAutopilotForUpdate(tx: Transaction, siteId: string): Promise<Autopilot> {
  await tx.exec(statement`select from sites where id = ${siteId} for no key update`);
  return readAutopilot(tx, siteId);
}

/**
 * Updates the given settings, and has the Schedule follow them. Without an effective change nothing is written.
 *
 * @param current locked by this transaction
 */
export async function updateAutopilot(
  change: Change,
  current: Autopilot,
  sent: AutopilotChanges,
): Promise<Autopilot> {
  const { tx, site, now } = change;
  const next: Autopilot = {
    ...current,
    enabled: sent.enabled ?? current.enabled,
    weekdays: [...new Set(sent.weekdays ?? current.weekdays)],
    time: sent.time ?? current.time,
    items: sent.items ?? current.items,
  };
  const details = differences(current, next, names);
  if (Object.keys(details).length === 0) return current;
  await tx.exec(statement`
    insert into autopilots as a (site_id, enabled, weekdays, time, items, changed_at)
    values (${site.id}, ${next.enabled}, ${array(next.weekdays, 'text')}, ${next.time}, ${next.items}, ${at(now)})
    on conflict (site_id) do update set enabled = excluded.enabled, weekdays = excluded.weekdays, time = excluded.time,
      items = excluded.items, revision = a.revision + 1, changed_at = excluded.changed_at`);
  signalWorkflow(tx, 'autopilot-schedule', { siteId: site.id, signal: 'changed' }, now);
  recordChange(change, 'autopilot.update', { type: 'site', id: site.id }, details);
  return next;
}

/** Has the Schedule of a Site follow its new timezone, if it has one. */
export async function autopilotTimeZoneChanged(tx: Transaction, siteId: string, now: Date): Promise<void> {
  const changed = await tx.exec(statement`
    update autopilots set revision = revision + 1, changed_at = ${at(now)} where site_id = ${siteId}`);
  if (changed > 0) signalWorkflow(tx, 'autopilot-schedule', { siteId, signal: 'changed' }, now);
}
