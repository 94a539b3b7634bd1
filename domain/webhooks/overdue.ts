import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, timestamp } from '../../db/sql.ts';

const overdueRow = z.object({
  id: z.string(),
  /** Since when a delivery has been due, or an interrupted attempt has waited to be logged; null if neither. */
  since: timestamp.nullable(),
  /** Whether an attempt was interrupted. */
  interrupted: z.boolean(),
  /** Whether some process has attempts in flight. */
  in_flight: z.boolean(),
});
const waitingRow = z.object({ waiting: z.number(), oldest_seconds: z.number() });

/** How many endpoints one look-up covers. */
const ENDPOINTS = 1_000;

/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The endpoints with a queue, each found by one index look-up, independent of the length of the queues. */
const endpointsAfter = (after: string) => sql.fragment`
  recursive endpoints as (
    (select q.endpoint_id as id, 1 as place from webhook_queue q
      where q.endpoint_id > ${after}::uuid order by q.endpoint_id limit 1)
    union all
    select (select q.endpoint_id from webhook_queue q where q.endpoint_id > e.id order by q.endpoint_id limit 1), e.place + 1
    from endpoints e where e.id is not null and e.place < ${ENDPOINTS}::int
  )`;

type OverdueRow = z.infer<typeof overdueRow>;

/** An endpoint with a delivery that is overdue, or with an interrupted attempt. */
export type OverdueEndpoint = OverdueRow & { readonly since: Date };

export interface OverdueEndpoints {
  readonly endpoints: readonly OverdueEndpoint[];
  /** Where the next look-up starts; null for the first endpoint. */
  readonly next: string | null;
}

/**
 * Endpoints with a delivery that has been due for a while and was not claimed, or with an interrupted attempt, after a
 * lost wake-up or a crash. A look-up covers a thousand endpoints with a queue, and the next one continues after them.
 * Its cost does not depend on the length of the queues.
 *
 * @param after the last result's `next`
 */
export async function findOverdueEndpoints(
  db: Queryable,
  now: Date,
  graceMs: number,
  after: string | null = null,
): Promise<OverdueEndpoints> {
  const before = new Date(now.getTime() - graceMs);
  const rows = await db.any(sql.type(overdueRow)`
    with ${endpointsAfter(after ?? FIRST)}
    select e.id, least(case when w.enabled and not w.paused then first_due.due_at end, first_dead.leased_until) as since,
      coalesce(first_dead.leased_until < ${at(before)}, false) as interrupted,
      exists (
        select from webhook_queue q where q.endpoint_id = e.id and q.leased_until > ${at(now)}
      ) as in_flight
    from endpoints e
    join webhook_endpoints w on w.id = e.id
    left join lateral (
      select q.due_at from webhook_queue q where q.endpoint_id = e.id and q.leased_until is null order by q.due_at limit 1
    ) first_due on true
    left join lateral (
      select q.leased_until from webhook_queue q where q.endpoint_id = e.id and q.leased_until <= ${at(now)}
      order by q.leased_until limit 1
    ) first_dead on true
    order by e.id`);
  const detached = await db.any(sql.type(overdueRow)`
    select d.endpoint_id as id, min(d.leased_until) as since, true as interrupted, false as in_flight
    from webhook_detached_attempts d
    where d.leased_until < ${at(before)} group by d.endpoint_id limit ${ENDPOINTS}`);
  const known = new Set(detached.map(({ id }) => id));
  const endpoints = [...rows.filter(({ id }) => !known.has(id)), ...detached].filter(
    (row): row is OverdueEndpoint => row.since !== null && row.since < before,
  );
  return { endpoints, next: rows.length < ENDPOINTS ? null : (rows.at(-1)?.id ?? null) };
}

/** The most deliveries that are counted: an operator needs the magnitude only. */
const COUNTED = 10_000;

/**
 * How many deliveries are due and not in flight, to enabled endpoints, and for how long the first has been due. Covers
 * a thousand endpoints with a queue, and counts up to 10,000 deliveries.
 */
export function overdueDeliveries(db: Queryable, now: Date): Promise<z.infer<typeof waitingRow>> {
  return db.one(sql.type(waitingRow)`
    with ${endpointsAfter(FIRST)}, taking as materialized (
      select e.id, first_due.due_at from endpoints e
      join webhook_endpoints w on w.id = e.id and w.enabled and not w.paused
      cross join lateral (
        select q.due_at from webhook_queue q
        where q.endpoint_id = e.id and q.due_at <= ${at(now)} and (q.leased_until is null or q.leased_until <= ${at(now)})
        order by q.due_at limit 1
      ) first_due
    )
    select
      (select count(*)::int from (
        select from taking t cross join lateral (
          select from webhook_queue q
          where q.endpoint_id = t.id and q.due_at <= ${at(now)} and (q.leased_until is null or q.leased_until <= ${at(now)})
          limit ${COUNTED}
        ) due limit ${COUNTED}
      ) counted) as waiting,
      coalesce(extract(epoch from ${at(now)}::timestamptz - (select min(due_at) from taking)), 0)::float8 as oldest_seconds`);
}
