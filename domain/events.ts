import { z } from 'zod';
import type { Transaction } from '../db/transaction.ts';
import { at, sql, statement } from '../db/sql.ts';
import { traceparent } from '../tracing/trace.ts';
import { newId } from './ids.ts';

const endpointIdRow = z.object({ endpoint_id: z.string() });

/** The event catalog (specification, Events; decisions 7). */
export const eventNames = [
  'article.published',
  'article.updated',
  'article.unpublished',
  'article.deleted',
  'comment.created',
  'pipeline_run.finished',
] as const;

export type EventName = (typeof eventNames)[number];

/** Sent to one endpoint on request; nobody subscribes to it, and no list of events shows it. */
export const PING = 'ping';

/** How long an event and its body are kept (decisions 7). */
export const EVENT_RETENTION_MS = 30 * 24 * 60 * 60_000;

/**
 * Records that something happened, in the transaction that made it so, together with a delivery for every
 * endpoint that subscribes to it. The body is made here, once: every delivery, retry and redelivery carries
 * these bytes. The Site's id appears nowhere in it.
 *
 * @param data the resource as the API returns it
 * @returns the event's id
 */
export function recordEvent(
  tx: Transaction,
  siteId: string,
  event: EventName,
  data: object,
  now: Date,
): string {
  const { id, body } = compose(event, data, now);
  // Due by the database's clock, too: that of the worker may be behind this process's.
  const recorded = sql.type(endpointIdRow)`
    with recorded as (
      insert into events (id, site_id, event, created_at, body, traceparent)
      values (${id}, ${siteId}, ${event}, ${at(now)}, ${body}, ${traceparent()})
    )
    insert into webhook_queue (endpoint_id, event_id, due_at)
    select w.id, ${id}, least(${at(now)}::timestamptz, now()) from webhook_endpoints w
    where w.site_id = ${siteId} and w.enabled and ${event} = any(w.events)
    for key share
    returning endpoint_id
  `;
  tx.atCommit(recorded, {
    read(rows) {
      for (const { endpoint_id: endpointId } of rows) tx.notify('presswork_webhooks', endpointId);
    },
  });
  return id;
}

/** Records a ping for one endpoint alone. @returns the event's id */
export async function recordPing(
  tx: Transaction,
  siteId: string,
  endpointId: string,
  now: Date,
): Promise<string> {
  const { id, body } = compose(PING, {}, now);
  await tx.exec(statement`
    with recorded as (
      insert into events (id, site_id, event, created_at, body, traceparent)
      values (${id}, ${siteId}, ${PING}, ${at(now)}, ${body}, ${traceparent()})
    )
    insert into webhook_queue (endpoint_id, event_id, due_at) values (${endpointId}, ${id}, least(${at(now)}::timestamptz, now()))`);
  tx.notify('presswork_webhooks', endpointId);
  return id;
}

function compose(event: string, data: object, now: Date): { id: string; body: string } {
  const id = newId();
  return { id, body: JSON.stringify({ id, event, created_at: now.toISOString(), data }) };
}
