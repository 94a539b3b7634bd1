import { z } from 'zod';
import type { Transaction } from '../db/transaction.ts';
import type { Queryable } from '../db/statements.ts';
import { at, sql, statement, timestamp } from '../db/sql.ts';
import type { Site } from './access/authenticate.ts';
import { notFound } from './errors.ts';
import { EVENT_RETENTION_MS, PING } from './events.ts';
import type { EventName } from './events.ts';
import { readPage } from './page.ts';
import type { Page, PageRequest } from './page.ts';

const eventRow = z.object({ id: z.string(), created_at: timestamp, body: z.string() });

type EventRow = z.infer<typeof eventRow>;

export interface EventFilters {
  readonly event?: EventName | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
}

const oldest = (now: Date): Date => new Date(now.getTime() - EVENT_RETENTION_MS);

/** A page of a Site's events of the last 30 days, newest first. */
export function listEvents(
  db: Queryable,
  site: Site,
  { event, since }: EventFilters,
  request: PageRequest,
  now: Date,
): Promise<Page<EventRow>> {
  const from = since !== undefined && since > oldest(now) ? since : oldest(now);
  const ofType = event === undefined ? sql.fragment`event <> ${PING}` : sql.fragment`event = ${event}`;
  return readPage(
    { key: site.cursorKey, query: `events ${JSON.stringify([event, since])}` },
    request,
    (after, count) => {
      const behind =
        after === null
          ? sql.fragment``
          : sql.fragment`and (created_at, id) < (${after.key}::timestamptz, ${after.id}::uuid)`;
      return db.any(sql.type(eventRow)`
        select id, created_at, body from events
        where site_id = ${site.id} and ${ofType} and created_at >= ${at(from)} ${behind}
        order by created_at desc, id desc limit ${count}`);
    },
    (row) => ({ key: row.created_at.toISOString(), id: row.id }),
  );
}

/** @throws ServiceError NOT_FOUND, also for an event that is no longer kept */
export async function getEvent(db: Queryable, siteId: string, id: string, now: Date): Promise<EventRow> {
  const row = await db.maybeOne(sql.type(eventRow)`
    select id, created_at, body from events
    where id = ${id} and site_id = ${siteId} and event <> ${PING} and created_at > ${at(oldest(now))}`);
  if (row === null) throw notFound('event');
  return row;
}

/** An event as it is delivered. */
export const presentEvent = (row: EventRow): unknown => JSON.parse(row.body);

/**
 * Deletes events past their retention, with what still waits of them, a batch at a time. One that is being sent is
 * left for the next time, so that its attempt has its row.
 *
 * @returns how many
 */
export function deleteOldEvents(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from events where ctid = any(array(
      select e.ctid from events e where e.created_at <= ${at(oldest(now))}
        and not exists (select from webhook_queue q where q.event_id = e.id and q.delivery_id is not null)
      order by e.created_at limit ${batch} for update skip locked
    ))`);
}
