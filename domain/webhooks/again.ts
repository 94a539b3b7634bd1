import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { conflict, notFound } from '../errors.ts';
import { EVENT_RETENTION_MS, recordPing } from '../events.ts';
import type { EventName } from '../events.ts';
import type { Endpoint } from './endpoint.ts';
import { clearQueue } from './queue.ts';

const eventIdRow = z.object({ event_id: z.string() });

/** Between the first attempts of a replay, so that they start in the order of their events. */
const REPLAY_SPACING_MS = 5;

function refuseDisabled(endpoint: Endpoint): void {
  if (!endpoint.enabled)
    throw conflict('This webhook endpoint is disabled. Enable it first: PATCH it with enabled true.');
}

/**
 * Sends the event of a logged delivery again, from attempt 1; replaces a waiting retry (decisions 7).
 *
 * @returns the event's id
 * @throws ServiceError NOT_FOUND for an unknown delivery, CONFLICT where the endpoint is disabled or the event
 *   is no longer kept
 */
export async function redeliver(
  tx: Transaction,
  endpoint: Endpoint,
  deliveryId: string,
  now: Date,
): Promise<string> {
  const row = await tx.maybeOne(sql.type(eventIdRow)`
    select event_id from webhook_deliveries where id = ${deliveryId} and endpoint_id = ${endpoint.id}`);
  if (row === null) throw notFound('delivery');
  await redeliverEvent(tx, endpoint, row.event_id, now);
  return row.event_id;
}

/**
 * Locks on the endpoint keep others from queueing the same event meanwhile.
 *
 * @throws ServiceError CONFLICT where the endpoint is disabled or the event is no longer kept
 */
export async function redeliverEvent(
  tx: Transaction,
  endpoint: Endpoint,
  eventId: string,
  now: Date,
): Promise<void> {
  refuseDisabled(endpoint);
  const oldest = new Date(now.getTime() - EVENT_RETENTION_MS);
  await clearQueue(tx, endpoint.id, eventId);
  const queued = await tx.exec(statement`
    insert into webhook_queue (endpoint_id, event_id, due_at, redelivery)
    select ${endpoint.id}, e.id, ${at(now)}, true from events e
    where e.id = ${eventId} and e.site_id = ${endpoint.site_id} and e.created_at > ${at(oldest)}`);
  if (queued === 0)
    throw conflict('This event is no longer kept: events and their bodies are kept for 30 days.');
  tx.notify('presswork_webhooks', endpoint.id);
}

export interface ReplayRange {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly events?: readonly EventName[] | undefined;
}

/**
 * Sends events that the endpoint missed: of the types it subscribes to, with no delivery that succeeded and
 * none waiting; oldest first (decisions 7).
 *
 * @returns how many
 * @throws ServiceError CONFLICT where the endpoint is disabled
 */
export async function replay(
  tx: Transaction,
  endpoint: Endpoint,
  range: ReplayRange,
  now: Date,
): Promise<number> {
  refuseDisabled(endpoint);
  const { since, until = now, events } = range;
  const names = endpoint.events.filter(
    (name) => events === undefined || (events as readonly string[]).includes(name),
  );
  const oldest = new Date(Math.max(since.getTime(), now.getTime() - EVENT_RETENTION_MS));
  // Without an end, events of this very moment are meant as well.
  const end = range.until === undefined ? new Date(until.getTime() + 1) : until;
  const queued = await tx.exec(statement`
    insert into webhook_queue (endpoint_id, event_id, due_at, redelivery)
    select ${endpoint.id}, e.id,
      ${at(now)}::timestamptz + (row_number() over (order by e.created_at, e.id) - 1) * ${REPLAY_SPACING_MS}::int * interval '1 millisecond',
      true
    from events e
    where e.site_id = ${endpoint.site_id} and e.event = any(${array(names, 'text')})
      and e.created_at >= ${at(oldest)} and e.created_at < ${at(end)}
      and not exists (
        select from webhook_deliveries d where d.endpoint_id = ${endpoint.id} and d.event_id = e.id and d.status = 'succeeded'
      )
    order by e.created_at, e.id
    on conflict on constraint webhook_queue_pkey do nothing`);
  if (queued > 0) tx.notify('presswork_webhooks', endpoint.id);
  return queued;
}

/**
 * Sends one `ping` to an endpoint alone (decisions 7).
 *
 * @returns the event's id
 * @throws ServiceError CONFLICT where the endpoint is disabled
 */
export async function ping(tx: Transaction, endpoint: Endpoint, now: Date): Promise<string> {
  refuseDisabled(endpoint);
  return recordPing(tx, endpoint.site_id, endpoint.id, now);
}
