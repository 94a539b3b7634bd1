import { z } from 'zod';
import { at, sql, statement } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { weekdays } from './settings.ts';

const wantedRow = z.object({
  enabled: z.boolean(),
  weekdays: z.array(z.enum(weekdays)),
  time: z.string(),
  timezone: z.string(),
  revision: z.number(),
});

/** The wanted Schedule of a Site. */
export type WantedSchedule = z.infer<typeof wantedRow>;

/** @returns null if the Site should have none: it is being deleted, or has never changed its autopilot */
export const findWantedSchedule = (db: Queryable, siteId: string): Promise<WantedSchedule | null> =>
  db.maybeOne(sql.type(wantedRow)`
    select a.enabled, a.weekdays, a.time, s.timezone, a.revision from autopilots a join sites s on s.id = a.site_id
    where a.site_id = ${siteId} and s.deleting_since is null`);

/** Notes that the Schedule is as the settings of a revision say. */
export const noteFollowed = (db: Queryable, siteId: string, revision: number, now: Date): Promise<number> =>
  db.exec(statement`
    update autopilots set followed_revision = ${revision}, followed_at = ${at(now)}
    where site_id = ${siteId} and followed_revision <= ${revision}`);

const siteRow = z.object({ site_id: z.string() });

/** How often a Schedule is looked at, should Temporal have lost it. */
const LOOK_AGAIN_MS = 24 * 60 * 60_000;

/**
 * A safety net for outbox and Temporal: has Schedules looked at that do not follow their settings after `graceMs`, and
 * every Schedule once a day.
 *
 * @returns how many did not follow; more than zero is a defect
 */
export async function rescueAutopilots(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const before = (ms: number): string => at(new Date(now.getTime() - ms));
  const late = await tx.any(sql.type(siteRow)`
    select site_id from autopilots where followed_revision <> revision and changed_at < ${before(graceMs)}
    order by changed_at limit 500`);
  const unseen = await tx.any(sql.type(siteRow)`
    select site_id from autopilots where enabled and followed_at < ${before(LOOK_AGAIN_MS)}
    order by followed_at limit 500`);
  for (const siteId of new Set([...late, ...unseen].map((row) => row.site_id)))
    signalWorkflow(tx, 'autopilot-schedule', { siteId, signal: 'changed' }, now);
  return late.length;
}
