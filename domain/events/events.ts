import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Effects } from '../../db/effects.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { traceparent } from '../../observability/tracing/trace.ts';
import { newId } from '../kernel/ids.ts';
import type { Site, Subscriptions } from '../kernel/site.ts';
import { delivered, namesFor, PING } from './catalogue.ts';
import type { EventName, OfferedEvent, RecordedEvent } from './catalogue.ts';

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
export function recordEvent(
  tx: Effects,
  siteId: string,
  event: RecordedEvent,
  data: object,
  now: Date,
): string {
  const composed = compose(siteId, event, data, now);
  tx.gather(`events ${event}`, [composed], (effects, all) => add(effects, event, all));
  return composed.id;
}

/** Where an event happened that is recorded only for those who subscribe to it. */
interface Offer {
  readonly site: Pick<Site, 'id'> & Subscriptions;
  /** The resource as the API returns it. */
  readonly data: () => object;
}

/** Records an event as {@link recordEvent} does, if an enabled endpoint of the Site subscribes to it. */
export const offerEvent = (
  { tx, site, now }: { readonly tx: Effects; readonly site: Offer['site']; readonly now: Date },
  event: OfferedEvent,
  data: () => object,
): void => offerEvents(tx, event, [{ site, data }], now);

/** Offers events of the same name, with statements that they have in common. */
export function offerEvents(tx: Effects, event: OfferedEvent, offers: readonly Offer[], now: Date): void {
  const composed = composeWanted(event, offers, now);
  if (composed.length > 0) tx.gather(`events ${event}`, composed, (effects, all) => add(effects, event, all));
}

/**
 * Offers events of the same name at once, for a transaction that goes on with them.
 *
 * @returns their ids, in the order of the offers; one that lost its last endpoint meanwhile is not recorded
 */
export async function offerEventsNow(
  tx: Transaction,
  event: OfferedEvent,
  offers: readonly Offer[],
  now: Date,
): Promise<readonly string[]> {
  const composed = composeWanted(event, offers, now);
  const queued = await tx.any(sql.type(endpointIdRow)`
    with recorded as (${insertEvents(event, composed, sql.fragment`true`)})
    ${insertDeliveries(event, composed, sql.fragment`recorded`)}`);
  notify(tx, queued);
  return composed.map(({ id }) => id);
}

/**
 * Whether a change has to look for endpoints that subscribe to an event. They are known from when the request's key was
 * read: an endpoint that is added later takes part from the next request on.
 */
export const mayBeWanted = ({ subscribedEvents }: Subscriptions, event: OfferedEvent): boolean =>
  subscribedEvents === undefined || namesFor(event).some((name) => subscribedEvents.includes(name));

interface Composed {
  readonly id: string;
  readonly siteId: string;
  readonly body: string;
  readonly time: string;
  /** Articles that are published together were scheduled by different requests. */
  readonly trace: string | null;
}

const compose = (siteId: string, event: EventName, data: object, now: Date): Composed => ({
  ...bodyOf(event, data, now),
  siteId,
  time: at(now),
  trace: traceparent(),
});

const composeWanted = (event: OfferedEvent, offers: readonly Offer[], now: Date): readonly Composed[] =>
  offers
    .filter(({ site }) => mayBeWanted(site, event))
    .map(({ site, data }) => compose(site.id, event, data(), now));

const add = (tx: Effects, event: EventName, composed: readonly Composed[]): void =>
  tx.add<z.infer<typeof endpointIdRow>>((_, recorded) => insertDeliveries(event, composed, recorded), {
    after: (when) => insertEvents(event, composed, when),
    read: (queued) => notify(tx, queued),
  });

function notify(tx: Effects, queued: readonly z.infer<typeof endpointIdRow>[]): void {
  for (const endpointId of new Set(queued.map(({ endpoint_id: id }) => id)))
    tx.notify('presswork_webhooks', endpointId);
}

/** Whether an endpoint `w` is sent an event. */
const subscribes = (event: EventName): FragmentSqlToken =>
  sql.fragment`w.enabled and w.events && ${array([...namesFor(event)], 'text')}`;

function insertEvents(
  event: EventName,
  composed: readonly Composed[],
  when: FragmentSqlToken,
): FragmentSqlToken {
  const wanted = delivered[event].always
    ? sql.fragment``
    : sql.fragment`and exists (select from webhook_endpoints w where w.site_id = n.site_id and ${subscribes(event)})`;
  return sql.fragment`
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
    where ${when} ${wanted}
    returning id, site_id, created_at`;
}

function insertDeliveries(
  event: EventName,
  composed: readonly Composed[],
  recorded: FragmentSqlToken,
): FragmentSqlToken {
  const siteIds = array([...new Set(composed.map(({ siteId }) => siteId))], 'uuid');
  // Also due by the database's clock: the worker's clock may be behind this process's.
  return sql.fragment`
    insert into webhook_queue (endpoint_id, event_id, due_at)
    select w.id, r.id, least(r.created_at, now())
    from webhook_endpoints w join ${recorded} r using (site_id)
    where w.site_id = any(${siteIds}) and ${subscribes(event)}
    returning endpoint_id`;
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
  const { id, body } = bodyOf(PING, {}, now);
  await tx.exec(statement`
    with recorded as (
      insert into events (id, site_id, event, created_at, body, traceparent)
      values (${id}, ${siteId}, ${PING}, ${at(now)}, ${body}, ${traceparent()})
    )
    insert into webhook_queue (endpoint_id, event_id, due_at) values (${endpointId}, ${id}, least(${at(now)}::timestamptz, now()))`);
  tx.notify('presswork_webhooks', endpointId);
  return id;
}

function bodyOf(event: string, data: object, now: Date): { id: string; body: string } {
  const id = newId();
  return { id, body: JSON.stringify({ id, event, created_at: now.toISOString(), data }) };
}
