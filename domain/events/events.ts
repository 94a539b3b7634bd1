import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Effects } from '../../db/effects.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { traceparent } from '../../observability/tracing/trace.ts';
import { newId } from '../kernel/ids.ts';
import type { EventName } from './names.ts';
import { PING } from './names.ts';

const endpointIdRow = z.object({ endpoint_id: z.string() });
const bodyRow = z.object({ body: z.string() });

/** How long an event and its body are kept (docs/spec/rulings.md, 7). */
export const EVENT_RETENTION_MS = 30 * 24 * 60 * 60_000;

/**
 * Records an event in the transaction of the change, with a delivery for every endpoint that subscribes to it. The body
 * is built once: every delivery, retry and redelivery sends these bytes. The Site's id does not appear in it.
 *
 * @param data the resource as the API returns it
 * @returns the event's id
 */
export function recordEvent(tx: Effects, siteId: string, event: EventName, data: object, now: Date): string {
  const composed = { ...compose(event, data, now), siteId, time: at(now), trace: traceparent() };
  tx.gather(`events ${event}`, [composed], (effects, all) => addEvents(effects, event, all));
  return composed.id;
}

interface Composed {
  readonly id: string;
  readonly siteId: string;
  readonly body: string;
  readonly time: string;
  /** Articles that are published together were scheduled by different requests. */
  readonly trace: string | null;
}

function addEvents(tx: Effects, event: EventName, composed: readonly Composed[]): void {
  const siteIds = array([...new Set(composed.map(({ siteId }) => siteId))], 'uuid');
  // Also due by the database's clock: the worker's clock may be behind this process's.
  tx.add<z.infer<typeof endpointIdRow>>(
    (_, recorded) => sql.fragment`
      insert into webhook_queue (endpoint_id, event_id, due_at)
      select w.id, r.id, least(r.created_at, now())
      from webhook_endpoints w join ${recorded} r using (site_id)
      where w.site_id = any(${siteIds}) and w.enabled and ${event}::text = any(w.events)
      returning endpoint_id`,
    {
      after: (when) => sql.fragment`
        insert into events (id, site_id, event, created_at, body, traceparent)
        select n.id, n.site_id, ${event}::text, n.created_at, n.body, n.trace
        from unnest(
          ${array(
            composed.map(({ id }) => id),
            'uuid',
          )},
          ${array(
            composed.map(({ siteId }) => siteId),
            'uuid',
          )},
          ${array(
            composed.map(({ time }) => time),
            'timestamptz',
          )},
          ${array(
            composed.map(({ body }) => body),
            'text',
          )},
          ${array(
            composed.map(({ trace }) => trace),
            'text',
          )}
        ) as n (id, site_id, created_at, body, trace)
        where ${when}
        returning id, site_id, created_at`,
      read(queued) {
        for (const endpointId of new Set(queued.map(({ endpoint_id: id }) => id)))
          tx.notify('presswork_webhooks', endpointId);
      },
    },
  );
}

/** The body of an event as it is sent, or null if it has been deleted. */
export async function readEventBody(db: Queryable, id: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(bodyRow)`select body from events where id = ${id}`);
  return row?.body ?? null;
}

/** Records a ping for a single endpoint. @returns the event's id */
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
