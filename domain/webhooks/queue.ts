import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import { ATTEMPT_LIMIT, FAILURE_LIMIT } from './retry-schedule.ts';

const idRow = z.object({ id: z.string() });

/** The longest an attempt goes on, and a while more: then whoever had it is taken for dead. */
export const LEASE_MS = 15_000;

const claimedRow = z.object({
  delivery_id: z.string(),
  event_id: z.string(),
  event: z.string(),
  attempt: z.number(),
  redelivery: z.boolean(),
  url: z.string(),
  secret: z.instanceof(Buffer),
  body: z.string(),
  site_id: z.string(),
  happened_at: timestamp,
  /** Which part of which trace made the event, where that is traced. */
  traceparent: z.string().nullable(),
});

/** An attempt to make: everything it needs, and the id under which it is logged. */
export type ClaimedDelivery = z.infer<typeof claimedRow>;

/**
 * Takes what is due for an endpoint, oldest first, and numbers the attempts. Near the failure limit it takes
 * no more than could still be sent before the endpoint is disabled, so that none starts after the twelfth.
 *
 * @param limits attempts that may be under way at once, in all processes together and those not yet recorded
 *   included, and rows to take at most
 * @returns oldest first
 */
export function claimDue(
  db: Queryable,
  endpointId: string,
  { underWay, atMost }: { readonly underWay: number; readonly atMost: number },
  now: Date,
): Promise<readonly ClaimedDelivery[]> {
  return db.any(sql.type(claimedRow)`
    with endpoint as (
      select id, url, secret, site_id,
        case when consecutive_failures = 0 then ${underWay}::int
          else least(${underWay}::int, ${FAILURE_LIMIT}::int - consecutive_failures) end as allowed
      from webhook_endpoints where id = ${endpointId} and enabled and not paused
    ), under_way as (
      select (
        select count(*) from webhook_queue where endpoint_id = ${endpointId} and leased_until > ${at(now)}
      ) + (
        select count(*) from webhook_detached_attempts where endpoint_id = ${endpointId} and leased_until > ${at(now)}
      ) as attempts
    ), due as (
      select q.event_id from webhook_queue q
      where q.endpoint_id = ${endpointId} and q.due_at <= greatest(${at(now)}::timestamptz, now()) and q.delivery_id is null
      order by q.due_at, q.event_id
      limit least(${atMost}::int, greatest(0, (select allowed from endpoint) - (select attempts from under_way)))
      for update skip locked
    ), claimed as (
      update webhook_queue q
      set delivery_id = gen_random_uuid(), leased_at = ${at(now)}, leased_until = ${at(new Date(now.getTime() + LEASE_MS))}
      from due where q.endpoint_id = ${endpointId} and q.event_id = due.event_id
      returning q.delivery_id, q.event_id, q.attempt, q.redelivery, q.due_at
    )
    select c.delivery_id, c.event_id, e.event, c.attempt, c.redelivery, w.url, w.secret, e.body, w.site_id,
      e.created_at as happened_at, e.traceparent
    from claimed c join events e on e.id = c.event_id cross join endpoint w
    order by c.due_at, c.event_id
  `);
}

/**
 * Logs attempts whose worker died before it could: each as failed, `interrupted`. The next may start at once, under
 * the next number, where nothing took the event's place meanwhile. They say nothing of the receiver, so the
 * failure counter stays. The endpoint's row is locked, so that a worker that was only slow finds its attempt
 * either still its own, or logged.
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
 * Takes what waits for an endpoint, or one event of it, out of the queue. Attempts under way may finish, and each of them
 * has its row in the log all the same, whether or not its worker lives: they are kept apart until then.
 */
export async function clearQueue(tx: Transaction, endpointId: string, eventId?: string): Promise<void> {
  const which = eventId === undefined ? sql.fragment`` : sql.fragment`and q.event_id = ${eventId}`;
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
  enabled: z.boolean(),
  paused: z.boolean(),
  consecutive_failures: z.number(),
  waiting: z.number(),
  /** When the next attempt is due. */
  due_at: timestamp.nullable(),
  /** When the first of the attempts under way counts as interrupted. */
  lease_ends_at: timestamp.nullable(),
  last_error: z.string().nullable(),
});

/** Counted up to here: an operator needs to know that many wait, not how many. */
const COUNTED = 10_000;

/** What an endpoint waits for, as its process and an operator need to know it; null once it is deleted. */
export async function readQueueState(
  db: Queryable,
  endpointId: string,
): Promise<z.infer<typeof stateRow> | null> {
  return db.maybeOne(sql.type(stateRow)`
    select w.enabled, w.paused, w.consecutive_failures,
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

/**
 * Endpoints for which something has been due for a while without anybody taking it, or an attempt was interrupted:
 * what a lost wake-up or a crash left.
 */
export async function findOverdueEndpoints(
  db: Database,
  now: Date,
  graceMs: number,
): Promise<readonly string[]> {
  const before = at(new Date(now.getTime() - graceMs));
  const rows = await db.any(sql.type(idRow)`
    select w.id from webhook_endpoints w
    where w.enabled and not w.paused and w.id in (
      select q.endpoint_id from webhook_queue q
      where q.due_at < ${before} and (q.leased_until is null or q.leased_until < ${before})
    )
    union
    select w.id from webhook_endpoints w
    where w.paused and exists (
      select from webhook_queue q where q.endpoint_id = w.id and q.leased_until < ${before}
    )
    union
    select d.endpoint_id from webhook_detached_attempts d where d.leased_until < ${before}
    limit 1000`);
  return rows.map(({ id }) => id);
}

const overdue = z.object({ waiting: z.number(), oldest_seconds: z.number() });

/**
 * How many deliveries are due and not under way, to endpoints that take them, and how long the first has been due. Only
 * the 10,000 that have been due for longest are looked at, those of paused endpoints included.
 */
export function overdueDeliveries(db: Queryable, now: Date): Promise<z.infer<typeof overdue>> {
  return db.one(sql.type(overdue)`
    select count(*)::int as waiting,
      coalesce(extract(epoch from ${at(now)}::timestamptz - min(q.due_at)), 0)::float8 as oldest_seconds
    from (
      select endpoint_id, due_at, leased_until from webhook_queue
      where due_at <= ${at(now)} order by due_at limit 10000
    ) q
    join webhook_endpoints w on w.id = q.endpoint_id
    where w.enabled and not w.paused and (q.leased_until is null or q.leased_until <= ${at(now)})
  `);
}

/** Stops or resumes the sending to an endpoint, without touching what waits: for support. */
export async function setPaused(db: Queryable, endpointId: string, paused: boolean): Promise<void> {
  await db.exec(statement`update webhook_endpoints set paused = ${paused} where id = ${endpointId}`);
}
