import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, timestamp } from '../../db/sql.ts';
import { operator } from '../audit/record.ts';
import { notFound } from '../kernel/errors.ts';
import { nextReplayBatch, queueRedelivery } from './redelivery.ts';
import type { ReplayPosition, ReplayRange } from './redelivery.ts';
import { byOperator, findEndpointForUpdate } from './endpoint.ts';
import type { OwnedEndpoint } from './endpoint.ts';
import { updateEndpoint } from './manage.ts';
import { setPaused } from './queue.ts';

/**
 * Changes to an endpoint by support, through the operator's command or a signal to its workflow. Each is recorded in
 * the audit log and makes a worker look at the endpoint after the commit, whether or not its workflow runs.
 */

/** How many events one transaction of a replay examines. */
const REPLAY_BATCH = 2_000;

/** @throws ServiceError NOT_FOUND */
async function lock(tx: Transaction, id: string): Promise<OwnedEndpoint> {
  const endpoint = await findEndpointForUpdate(tx, id);
  if (endpoint === null) throw notFound('webhook endpoint');
  return endpoint;
}

/**
 * Pauses or resumes the sending to an endpoint, without touching its queue. Idempotent.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function pauseEndpoint(tx: Transaction, id: string, paused: boolean, now: Date): Promise<void> {
  await lock(tx, id);
  await setPaused(tx, operator, id, paused, now);
  tx.notify('presswork_webhooks', id);
}

/**
 * Redelivers an event, from attempt 1.
 *
 * @throws ServiceError NOT_FOUND for an unknown endpoint, CONFLICT if it is disabled or the event has been deleted
 */
export async function redeliverEvent(tx: Transaction, id: string, eventId: string, now: Date): Promise<void> {
  const endpoint = await lock(tx, id);
  await queueRedelivery(byOperator(tx, endpoint, now), endpoint, eventId);
}

/**
 * Replays the events that an endpoint missed, one batch.
 *
 * @param after the end of the previous batch
 * @returns how many events, and where the next batch starts, or null after the last one
 * @throws ServiceError NOT_FOUND for an unknown endpoint, CONFLICT if it is disabled
 */
export async function replayBatch(
  tx: Transaction,
  id: string,
  range: ReplayRange,
  after: ReplayPosition | undefined,
  now: Date,
): Promise<{ readonly queued: number; readonly next: ReplayPosition | null }> {
  const endpoint = await lock(tx, id);
  return nextReplayBatch(byOperator(tx, endpoint, now), endpoint, range, after, REPLAY_BATCH);
}

/**
 * Enables a disabled endpoint, with its counter at zero.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function enableEndpoint(tx: Transaction, id: string, now: Date): Promise<void> {
  const endpoint = await lock(tx, id);
  await updateEndpoint(byOperator(tx, endpoint, now), endpoint, { enabled: true });
  tx.notify('presswork_webhooks', id);
}

export interface EndpointFilter {
  readonly site?: string | undefined;
  readonly org?: string | undefined;
  readonly paused?: boolean | undefined;
  /** Only those that were disabled at or after this time, by failures and not by request. */
  readonly disabledSince?: Date | undefined;
}

const listedRow = z.object({
  id: z.string(),
  site_id: z.string(),
  organisation_id: z.string(),
  host: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable(),
  disabled_at: timestamp.nullable(),
  paused: z.boolean(),
  paused_at: timestamp.nullable(),
  consecutive_failures: z.number(),
  waiting: z.number(),
});

/**
 * Endpoints of all Sites, in the order of their ids. Only the host of an address is shown: the rest may be a secret.
 */
export const listForSupport = (
  db: Queryable,
  filter: EndpointFilter,
  limit: number,
): Promise<readonly z.infer<typeof listedRow>[]> =>
  db.any(sql.type(listedRow)`
    select w.id, w.site_id, s.organisation_id, substring(w.url from '^[a-z]+://([^/?#]+)') as host, w.enabled,
      w.disabled_reason, w.disabled_at, w.paused, w.paused_at, w.consecutive_failures,
      (select count(*)::int from (select from webhook_queue q where q.endpoint_id = w.id limit 10000) waiting) as waiting
    from webhook_endpoints w join sites s on s.id = w.site_id
    where (${filter.site ?? null}::uuid is null or w.site_id = ${filter.site ?? null}::uuid)
      and (${filter.org ?? null}::uuid is null or s.organisation_id = ${filter.org ?? null}::uuid)
      and (${filter.paused ?? null}::boolean is null or w.paused = ${filter.paused ?? null}::boolean)
      and (${filter.disabledSince === undefined}::boolean or (
        not w.enabled and w.disabled_reason like 'disabled after %'
        and w.disabled_at >= ${filter.disabledSince ? at(filter.disabledSince) : null}::timestamptz
      ))
    order by w.id limit ${limit}`);

const pausedFigures = z.object({ waiting: z.number(), oldest_seconds: z.number() });

/** How many endpoints are paused, and for how long the first has been. */
export const pausedEndpoints = (db: Queryable, now: Date): Promise<z.infer<typeof pausedFigures>> =>
  db.one(sql.type(pausedFigures)`
    select count(*)::int as waiting,
      coalesce(extract(epoch from ${at(now)}::timestamptz - min(paused_at)), 0)::float8 as oldest_seconds
    from webhook_endpoints where paused`);
