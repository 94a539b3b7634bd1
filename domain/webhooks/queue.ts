import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { Actor } from '../audit/record.ts';
import { recordChange } from '../audit/change.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import { ATTEMPT_LIMIT, FAILURE_LIMIT } from './retry-schedule.ts';

/** The longest duration of an attempt, with a margin: after that, its worker counts as dead. */
export const LEASE_MS = 15_000;

const claimedRow = z.object({
  delivery_id: z.string(),
  event_id: z.string(),
  event: z.string(),
  attempt: z.number(),
  redelivery: z.boolean(),
  url: z.string(),
  secret: z.instanceof(Buffer),
  /** Large bodies are read when they are sent. */
  body: z.string().nullable(),
  /** Bytes of the body in UTF-8. */
  bytes: z.number(),
  site_id: z.string(),
  happened_at: timestamp,
  /** The trace context in which the event was recorded, if it was traced. */
  traceparent: z.string().nullable(),
  /** Whether the claim left deliveries that are due, or soon will be. */
  more: z.boolean(),
});

/** The largest body that is read with the claim, in bytes. */
const INLINE_BYTES = 16_384;

/** Deliveries of a replay are due one after the other, milliseconds apart. */
const SOON_MS = 500;

/** The limits of a claim. */
export interface ClaimLimits {
  /** The most attempts in flight, over all processes and including those that are not yet recorded. */
  readonly inFlight: number;
  /** Maximum number of rows. */
  readonly atMost: number;
  /** Maximum total size of bodies. */
  readonly bytes: number;
  /** Whether a single body may be larger than that. */
  readonly alone: boolean;
}

/** A claimed attempt: everything it needs, and the id under which it is logged. */
export type ClaimedDelivery = z.infer<typeof claimedRow>;

/**
 * Claims due deliveries of an endpoint, oldest first, and numbers the attempts. Near the failure limit it claims no
 * more than can still be sent before the endpoint is disabled, so that no attempt starts after the twelfth failure.
 *
 * @returns oldest first
 */
export function claimDue(
  db: Queryable,
  endpointId: string,
  { inFlight, atMost, bytes, alone }: ClaimLimits,
  now: Date,
): Promise<readonly ClaimedDelivery[]> {
  const clock = sql.fragment`greatest(${at(now)}::timestamptz, now())`;
  const waits = sql.fragment`q.endpoint_id = ${endpointId} and q.delivery_id is null`;
  return db.any(sql.type(claimedRow)`
    with endpoint as (
      select id, url, secret, site_id,
        case when consecutive_failures = 0 then ${inFlight}::int
          else least(${inFlight}::int, ${FAILURE_LIMIT}::int - consecutive_failures) end as allowed
      from webhook_endpoints where id = ${endpointId} and enabled and not paused
    ), in_flight as (
      select (
        select count(*) from webhook_queue where endpoint_id = ${endpointId} and leased_until > ${at(now)}
      ) + (
        select count(*) from webhook_detached_attempts where endpoint_id = ${endpointId} and leased_until > ${at(now)}
      ) as attempts
    ), due as (
      select q.event_id, q.due_at from webhook_queue q
      where ${waits} and q.due_at <= ${clock}
      order by q.due_at, q.event_id
      limit least(${atMost}::int, greatest(0, (select allowed from endpoint) - (select attempts from in_flight)))
      for update skip locked
    ), sized as (
      select d.event_id, octet_length(e.body) as bytes, row_number() over oldest_first as place,
        sum(octet_length(e.body)) over oldest_first as up_to_here
      from due d join events e on e.id = d.event_id
      window oldest_first as (order by d.due_at, d.event_id)
    ), fitting as (
      select event_id, bytes from sized where up_to_here <= ${bytes}::bigint or (place = 1 and ${alone}::boolean)
    ), claimed as (
      update webhook_queue q
      set delivery_id = gen_random_uuid(), leased_at = ${at(now)}, leased_until = ${at(new Date(now.getTime() + LEASE_MS))}
      from fitting f where q.endpoint_id = ${endpointId} and q.event_id = f.event_id
      returning q.delivery_id, q.event_id, q.attempt, q.redelivery, q.due_at, f.bytes
    )
    select c.delivery_id, c.event_id, e.event, c.attempt, c.redelivery, w.url, w.secret, c.bytes,
      case when c.bytes <= ${INLINE_BYTES}::int then e.body end as body, w.site_id,
      e.created_at as happened_at, e.traceparent,
      (
        select count(*) from (
          select from webhook_queue q
          where ${waits} and q.due_at <= ${clock} + ${SOON_MS}::int * interval '1 millisecond' limit ${atMost + 1}
        ) waiting
      ) > (select count(*) from claimed) as more
    from claimed c join events e on e.id = c.event_id cross join endpoint w
    order by c.due_at, c.event_id
  `);
}

/**
 * Logs attempts whose worker died before it could: each as failed, `interrupted`. The next attempt may start
 * immediately, under the next number, unless the event was queued again meanwhile. Interrupted attempts say nothing
 * about the receiver, so the failure counter stays. The endpoint's row is locked, so that a worker that was only slow
 * finds its attempt either still claimed by it, or logged.
 *
 * @returns how many
 */
export function settleInterrupted(tx: Transaction, endpointId: string, now: Date): Promise<number> {
  return tx.exec(statement`
    with endpoint as (
      select w.id from webhook_endpoints w
      where w.id = ${endpointId} and (
        exists (select from webhook_queue where endpoint_id = ${endpointId} and leased_until <= ${at(now)})
        or exists (select from webhook_detached_attempts where endpoint_id = ${endpointId} and leased_until <= ${at(now)})
      )
      for no key update
    ), dead as (
      select q.* from webhook_queue q
      where q.endpoint_id = (select id from endpoint) and q.leased_until <= ${at(now)} for update
    ), detached as (
      delete from webhook_detached_attempts d
      where d.endpoint_id = (select id from endpoint) and d.leased_until <= ${at(now)}
      returning d.*
    ), given_up as (
      delete from webhook_queue q using dead d
      where q.endpoint_id = d.endpoint_id and q.event_id = d.event_id and d.attempt >= ${ATTEMPT_LIMIT}::int
    ), again as (
      update webhook_queue q
      set attempt = q.attempt + 1, due_at = ${at(now)}, delivery_id = null, leased_at = null, leased_until = null
      from dead d
      where q.endpoint_id = d.endpoint_id and q.event_id = d.event_id and d.attempt < ${ATTEMPT_LIMIT}::int
    ), interrupted as (
      select d.delivery_id as id, d.event_id, e.event, d.attempt, d.redelivery, d.leased_at, d.leased_until,
        case when d.attempt < ${ATTEMPT_LIMIT}::int then ${at(now)}::timestamptz end as next_attempt_at
      from dead d join events e on e.id = d.event_id
      union all
      select d.id, d.event_id, d.event, d.attempt, d.redelivery, d.leased_at, d.leased_until, null from detached d
    )
    insert into webhook_deliveries (
      id, endpoint_id, event_id, event, attempt, status, error, duration_ms, attempted_at, next_attempt_at, redelivery
    )
    select i.id, ${endpointId}, i.event_id, i.event, i.attempt, 'failed', 'interrupted',
      (extract(epoch from i.leased_until - i.leased_at) * 1000)::int, i.leased_at, i.next_attempt_at, i.redelivery
    from interrupted i
  `);
}

/**
 * Removes an endpoint's deliveries, or those of one event, from the queue. Attempts in flight may finish, and each is
 * logged even if its worker dies: they are kept in a separate table until then.
 */
export async function clearQueue(
  tx: Transaction,
  endpointId: string,
  what: 'all' | { readonly eventId: string },
): Promise<void> {
  const which = what === 'all' ? sql.fragment`` : sql.fragment`and q.event_id = ${what.eventId}`;
  await tx.exec(statement`
    with cleared as (
      delete from webhook_queue q where q.endpoint_id = ${endpointId} ${which} returning q.*
    )
    insert into webhook_detached_attempts (
      id, endpoint_id, event_id, event, attempt, redelivery, leased_at, leased_until
    )
    select c.delivery_id, c.endpoint_id, c.event_id, e.event, c.attempt, c.redelivery, c.leased_at, c.leased_until
    from cleared c join events e on e.id = c.event_id where c.delivery_id is not null`);
}

const stateRow = z.object({
  site_id: z.string(),
  enabled: z.boolean(),
  paused: z.boolean(),
  consecutive_failures: z.number(),
  waiting: z.number(),
  /** When the next attempt is due. */
  due_at: timestamp.nullable(),
  /** When the first of the attempts in flight counts as interrupted. */
  lease_ends_at: timestamp.nullable(),
  last_error: z.string().nullable(),
});

/** The most deliveries that are counted: an operator needs the magnitude only. */
const COUNTED = 10_000;

/** The state of an endpoint's queue for its workflow and the operator; null if the endpoint was deleted. */
export async function readQueueState(
  db: Queryable,
  endpointId: string,
): Promise<z.infer<typeof stateRow> | null> {
  return db.maybeOne(sql.type(stateRow)`
    select w.site_id, w.enabled, w.paused, w.consecutive_failures,
      (select count(*)::int from (select from webhook_queue q where q.endpoint_id = w.id limit ${COUNTED}) waiting) as waiting,
      (select min(q.due_at) from webhook_queue q where q.endpoint_id = w.id and q.delivery_id is null) as due_at,
      least(
        (select min(q.leased_until) from webhook_queue q where q.endpoint_id = w.id and q.delivery_id is not null),
        (select min(d.leased_until) from webhook_detached_attempts d where d.endpoint_id = w.id)
      ) as lease_ends_at,
      (select coalesce(d.error, 'status ' || d.response_status) from webhook_deliveries d
        where d.endpoint_id = w.id and d.status = 'failed' order by d.attempted_at desc, d.id desc limit 1) as last_error
    from webhook_endpoints w where w.id = ${endpointId}
  `);
}

const pausedRow = z.object({ site_id: z.string(), organisation_id: z.string() });

/**
 * Pauses or resumes the sending to an endpoint, without touching its queue: for support.
 *
 * @returns whether that changed anything; only then is it in the audit log
 */
export async function setPaused(
  tx: Transaction,
  actor: Actor,
  endpointId: string,
  paused: boolean,
  now: Date,
): Promise<boolean> {
  const changed = await tx.maybeOne(sql.type(pausedRow)`
    update webhook_endpoints w set paused = ${paused}, paused_at = ${paused ? at(now) : null} from sites s
    where w.id = ${endpointId} and w.paused <> ${paused} and s.id = w.site_id returning w.site_id, s.organisation_id`);
  if (changed === null) return false;
  const site = { id: changed.site_id, organisationId: changed.organisation_id };
  const action = paused ? 'webhook.pause' : 'webhook.resume';
  signalWorkflow(tx, 'webhook-endpoint', { endpointId, siteId: site.id }, now);
  recordChange({ tx, site, actor, now }, action, { type: 'webhook', id: endpointId }, {});
  return true;
}
