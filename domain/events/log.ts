import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { notFound } from '../kernel/errors.ts';
import { EVENT_RETENTION_MS } from './events.ts';
import { PING } from './catalogue.ts';
import type { EventName } from './catalogue.ts';
import { newestFirst, pageSql } from '../kernel/page.ts';
import type { Order, PageRequest } from '../kernel/page.ts';
import { readWeighedPage, withinStep } from '../kernel/weighed-page.ts';
import type { WeighedPage } from '../kernel/weighed-page.ts';

const eventRow = z.object({ id: z.string(), created_at: timestamp, body: z.string() });

const weighedRow = eventRow.extend({ found: z.number() });

export type EventRow = z.infer<typeof eventRow>;

export interface EventFilters {
  readonly event?: EventName | undefined;
  /** Inclusive. */
  readonly since?: Date | undefined;
}

const newest: Order<EventRow> = newestFirst('a', 'created_at');

const oldest = (now: Date): Date => new Date(now.getTime() - EVENT_RETENTION_MS);

/** A page of a Site's events of the last 30 days, newest first. */
export function listEvents(
  db: Queryable,
  site: Site,
  { event, since }: EventFilters,
  request: PageRequest,
  now: Date,
): Promise<WeighedPage> {
  const from = since !== undefined && since > oldest(now) ? since : oldest(now);
  const ofType = event === undefined ? sql.fragment`event <> ${PING}` : sql.fragment`event = ${event}`;
  return readWeighedPage(
    { key: site.cursorKey, query: `events ${JSON.stringify([event, since])}` },
    request,
    (position, count) => {
      const { after, order } = pageSql(newest, position);
      const rows = sql.fragment`
        select a.id, a.created_at, a.body from events a
        where site_id = ${site.id} and ${ofType} and created_at >= ${at(from)} and ${after}
        order by ${order} limit ${count}`;
      return db.any(sql.type(weighedRow)`${withinStep(rows, order, sql.fragment`octet_length(a.body)`)}`);
    },
    newest.positionOf,
    // The body as it is delivered.
    ({ body }) => body,
  );
}

/** @throws ServiceError NOT_FOUND, also for an event that has been deleted */
export async function getEvent(db: Queryable, siteId: string, id: string, now: Date): Promise<EventRow> {
  const row = await db.maybeOne(sql.type(eventRow)`
    select id, created_at, body from events
    where id = ${id} and site_id = ${siteId} and event <> ${PING} and created_at > ${at(oldest(now))}`);
  if (row === null) throw notFound('event');
  return row;
}

/**
 * Deletes a batch of events past their retention, with their pending deliveries. Skips events that are being sent until
 * the next run, so that the attempt keeps its row.
 *
 * @returns how many
 */
export const deleteOldEvents = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, {
    table: 'events',
    by: 'created_at',
    until: oldest(now),
    where: sql.fragment`
      not exists (select from webhook_queue q where q.event_id = events.id and q.delivery_id is not null)`,
    size,
  });
