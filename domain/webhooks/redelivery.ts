import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement, timestamp } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { EVENT_RETENTION_MS, recordPing } from '../events/events.ts';
import { eventsOf } from '../events/catalogue.ts';
import type { EventName } from '../events/catalogue.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import type { Endpoint } from './endpoint.ts';
import { clearQueue } from './queue.ts';

const eventIdRow = z.object({ event_id: z.string() });

/** Delay between the first attempts of a replay, so that they start in the order of their events. */
const REPLAY_SPACING_MS = 5;

function refuseDisabled(endpoint: Endpoint): void {
  if (!endpoint.enabled)
    throw conflict('This webhook endpoint is disabled. Enable it first: PATCH it with enabled true.');
}

/**
 * Redelivers the event of a logged delivery, from attempt 1; replaces a pending retry (docs/spec/rulings.md, 7).
 *
 * @returns the event's id
 * @throws ServiceError NOT_FOUND for an unknown delivery, CONFLICT if the endpoint is disabled or the event has been
 *   deleted
 */
export async function redeliver(change: Change, endpoint: Endpoint, deliveryId: string): Promise<string> {
  const row = await change.tx.maybeOne(sql.type(eventIdRow)`
    select event_id from webhook_deliveries where id = ${deliveryId} and endpoint_id = ${endpoint.id}`);
  if (row === null) throw notFound('delivery');
  await queueRedelivery(change, endpoint, row.event_id);
  return row.event_id;
}

/**
 * The lock on the endpoint prevents others from queueing the same event concurrently.
 *
 * @throws ServiceError CONFLICT if the endpoint is disabled or the event has been deleted
 */
export async function queueRedelivery(change: Change, endpoint: Endpoint, eventId: string): Promise<void> {
  const { tx, now } = change;
  refuseDisabled(endpoint);
  const oldest = new Date(now.getTime() - EVENT_RETENTION_MS);
  await clearQueue(tx, endpoint.id, { eventId });
  const queued = await tx.exec(statement`
    insert into webhook_queue (endpoint_id, event_id, due_at, redelivery)
    select ${endpoint.id}, e.id, ${at(now)}, true from events e
    where e.id = ${eventId} and e.site_id = ${endpoint.site_id} and e.created_at > ${at(oldest)}`);
  if (queued === 0)
    throw conflict('This event is no longer kept: events and their bodies are kept for 30 days.');
  recordChange(change, 'webhook.redeliver', { type: 'webhook', id: endpoint.id }, { event_id: eventId });
  tx.notify('presswork_webhooks', endpoint.id);
}

export interface ReplayRange {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly events?: readonly EventName[] | undefined;
}

/** The end of a batch of a replay: its last event, and when the last delivery it queued is due. */
export interface ReplayPosition {
  readonly createdAt: Date;
  readonly eventId: string;
  readonly dueAt: Date;
}

/**
 * Replays the events that the endpoint missed: of the types it subscribes to, without a successful or pending delivery;
 * oldest first (docs/spec/rulings.md, 7).
 *
 * @returns how many
 * @throws ServiceError CONFLICT if the endpoint is disabled
 */
export async function replay(change: Change, endpoint: Endpoint, range: ReplayRange): Promise<number> {
  let total = 0;
  let after: ReplayPosition | undefined;
  do {
    const { queued, next } = await queueBatch(change, endpoint, range, after, BATCH);
    total += queued;
    after = next ?? undefined;
  } while (after !== undefined);
  audit(change, endpoint, range, total);
  return total;
}

/**
 * Queues one batch of a replay, and records it in the audit log.
 *
 * @param after the end of the previous batch
 * @param atMost maximum number of events to examine
 * @returns how many events it queued, and where the next batch starts, or null if there is none
 * @throws ServiceError CONFLICT if the endpoint is disabled
 */
export async function nextReplayBatch(
  change: Change,
  endpoint: Endpoint,
  range: ReplayRange,
  after: ReplayPosition | undefined,
  atMost: number,
): Promise<Batch> {
  const batch = await queueBatch(change, endpoint, range, after, atMost);
  audit(change, endpoint, range, batch.queued);
  return batch;
}

interface Batch {
  readonly queued: number;
  readonly next: ReplayPosition | null;
}

const subscribed = (endpoint: Endpoint, { events }: ReplayRange): string[] =>
  eventsOf(endpoint.events).filter((name) => events?.includes(name) ?? true);

function audit(change: Change, endpoint: Endpoint, range: ReplayRange, queued: number): void {
  if (queued === 0) return;
  const { since, until } = range;
  const details = {
    since: at(since),
    until: until ? at(until) : null,
    events: subscribed(endpoint, range),
    queued,
  };
  recordChange(change, 'webhook.replay', { type: 'webhook', id: endpoint.id }, details);
}

/** How many events one statement of a replay examines, which keeps it short however much was missed. */
const BATCH = 5_000;

const batchRow = z.object({
  looked: z.number(),
  queued: z.number(),
  created_at: timestamp.nullable(),
  event_id: z.string().nullable(),
  due_at: timestamp.nullable(),
});

async function queueBatch(
  { tx, now }: Change,
  endpoint: Endpoint,
  range: ReplayRange,
  after: ReplayPosition | undefined,
  atMost: number,
): Promise<Batch> {
  refuseDisabled(endpoint);
  const { since, until } = range;
  const names = subscribed(endpoint, range);
  const oldest = new Date(Math.max(since.getTime(), now.getTime() - EVENT_RETENTION_MS));
  // Without an end, events of the current moment are included.
  const end = until ?? new Date(now.getTime() + 1);
  const keyset =
    after === undefined
      ? sql.fragment``
      : sql.fragment`and (e.created_at, e.id) > (${at(after.createdAt)}::timestamptz, ${after.eventId}::uuid)`;
  // First attempts start in the order of their events, across all batches.
  const first = new Date(Math.max(now.getTime(), (after?.dueAt.getTime() ?? 0) + REPLAY_SPACING_MS));
  const batch = await tx.one(sql.type(batchRow)`
    with missed as (
      select e.id, e.created_at,
        ${at(first)}::timestamptz + (row_number() over (order by e.created_at, e.id) - 1) * ${REPLAY_SPACING_MS}::int * interval '1 millisecond' as due_at
      from (
        select e.id, e.created_at from events e
        where e.site_id = ${endpoint.site_id} and e.event = any(${array(names, 'text')})
          and e.created_at >= ${at(oldest)} and e.created_at < ${at(end)} ${keyset}
          and not exists (
            select from webhook_deliveries d where d.endpoint_id = ${endpoint.id} and d.event_id = e.id and d.status = 'succeeded'
          )
        order by e.created_at, e.id limit ${atMost}
      ) e
    ), queued as (
      insert into webhook_queue (endpoint_id, event_id, due_at, redelivery)
      select ${endpoint.id}, m.id, m.due_at, true from missed m order by m.created_at, m.id
      on conflict on constraint webhook_queue_pkey do nothing
      returning 1
    ), last as (select * from missed order by created_at desc, id desc limit 1)
    select (select count(*)::int from missed) as looked, (select count(*)::int from queued) as queued,
      (select created_at from last) as created_at, (select id from last) as event_id, (select due_at from last) as due_at`);
  if (batch.queued > 0) {
    tx.notify('presswork_webhooks', endpoint.id);
    // They are due one after the other, which the workflow waits for.
    signalWorkflow(tx, 'webhook-endpoint', { endpointId: endpoint.id, siteId: endpoint.site_id }, now);
  }
  const { created_at: createdAt, event_id: eventId, due_at: dueAt } = batch;
  const more = batch.looked === atMost && createdAt !== null && eventId !== null && dueAt !== null;
  return { queued: batch.queued, next: more ? { createdAt, eventId, dueAt } : null };
}

/**
 * Sends a `ping` to a single endpoint (docs/spec/rulings.md, 7).
 *
 * @returns the event's id
 * @throws ServiceError CONFLICT if the endpoint is disabled
 */
export async function ping(tx: Transaction, endpoint: Endpoint, now: Date): Promise<string> {
  refuseDisabled(endpoint);
  return recordPing(tx, endpoint.site_id, endpoint.id, now);
}
