import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { recordAudit } from '../audit/record.ts';
import { notify } from '../notifications/notify.ts';
import { clearQueue } from './queue.ts';
import type { ClaimedDelivery } from './queue.ts';
import { FAILURE_LIMIT, nextAttemptAt } from './retry-schedule.ts';

/** The result of an attempt. */
export interface DeliveryResult {
  readonly delivery: ClaimedDelivery;
  readonly succeeded: boolean;
  readonly responseStatus: number | null;
  /** A short cause, if it was not only the status (docs/spec/rulings.md, 7, Delivery row). */
  readonly error: string | null;
  readonly durationMs: number;
  readonly attemptedAt: Date;
}

const counterRow = z.object({
  enabled: z.boolean(),
  consecutive_failures: z.number(),
  site_id: z.string(),
  organisation_id: z.string(),
});

const beforeRow = z.object({ known: z.array(z.string()), detached: z.array(z.string()) });

export interface Recording {
  readonly retryDelays: readonly number[];
  readonly now: Date;
  /** Whether failures without an answer may disable the endpoint, or have to be verified first. */
  readonly sure: boolean;
}

/**
 * `recorded`: deliveries arrived, as the ones before them. `changed`: a retry waits, or the failure counter has moved. `disabled`:
 * the endpoint was disabled. `doubtful`: nothing was written, because failures without an answer would have disabled
 * the endpoint.
 */
export type Recorded = 'recorded' | 'changed' | 'disabled' | 'doubtful';

/**
 * Records the results of attempts, in the order in which they ended: log, queue and failure counter in one transaction.
 * Results that are already recorded stay. The twelfth failure in a row disables the endpoint and ends its deliveries.
 * The endpoint's row is locked, so that the count is exact under concurrency.
 */
export async function recordResults(
  tx: Transaction,
  endpointId: string,
  ended: readonly DeliveryResult[],
  { retryDelays, now, sure }: Recording,
): Promise<Recorded> {
  const ids = array(
    ended.map(({ delivery }) => delivery.delivery_id),
    'uuid',
  );
  // The log is read under the lock, so that it includes the rows of the previous holder.
  const [endpoint, { known, detached }] = await Promise.all([
    tx.maybeOne(sql.type(counterRow)`
      select w.enabled, w.consecutive_failures, w.site_id, s.organisation_id
      from webhook_endpoints w join sites s on s.id = w.site_id where w.id = ${endpointId} for no key update of w`),
    tx.one(sql.type(beforeRow)`
      select array(select d.id from webhook_deliveries d where d.id = any(${ids})) as known,
        array(select d.id from webhook_detached_attempts d where d.id = any(${ids})) as detached`),
  ]);
  // The endpoint was deleted meanwhile, with its log and its queue.
  if (endpoint === null) return 'recorded';
  // Recorded again after a commit whose answer was lost, or logged as interrupted since: it must not count twice.
  const results = ended.filter(({ delivery }) => !known.includes(delivery.delivery_id));
  if (results.length === 0) return 'recorded';
  const failures = countFailures(endpoint.consecutive_failures, results);
  const disabling = endpoint.enabled && failures >= FAILURE_LIMIT;
  if (disabling && !sure && results.some(({ error }) => error !== null)) return 'doubtful';
  const settled = results.map((result) => ({
    ...result,
    nextAt:
      result.succeeded || disabling || !endpoint.enabled || detached.includes(result.delivery.delivery_id)
        ? null
        : nextAttemptAt(retryDelays, result.delivery.attempt, now),
  }));
  await log(tx, endpointId, settled);
  await settleQueue(tx, endpointId, settled);
  if (detached.length > 0) await forget(tx, detached);
  if (endpoint.enabled && failures !== endpoint.consecutive_failures) {
    await tx.exec(
      statement`update webhook_endpoints set consecutive_failures = ${failures} where id = ${endpointId}`,
    );
  }
  if (!disabling)
    return failures !== endpoint.consecutive_failures || settled.some(({ nextAt }) => nextAt !== null)
      ? 'changed'
      : 'recorded';
  await disable(tx, endpointId, endpoint, now);
  return 'disabled';
}

/** The count stays at the limit: attempts in flight may finish, but change nothing. */
function countFailures(before: number, results: readonly DeliveryResult[]): number {
  let failures = before;
  for (const { succeeded } of results) {
    if (failures >= FAILURE_LIMIT) return failures;
    failures = succeeded ? 0 : failures + 1;
  }
  return failures;
}

type Settled = DeliveryResult & { readonly nextAt: Date | null };

async function log(tx: Transaction, endpointId: string, results: readonly Settled[]): Promise<void> {
  const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
  await tx.exec(statement`
    insert into webhook_deliveries (
      id, endpoint_id, event_id, event, attempt, status, response_status, error, duration_ms, attempted_at, next_attempt_at,
      redelivery
    )
    select r.id, ${endpointId}, r.event_id, r.event, r.attempt, r.status, r.response_status, r.error, r.duration_ms,
      r.attempted_at, r.next_attempt_at, r.redelivery
    from unnest(
      ${array(
        results.map(({ delivery }) => delivery.delivery_id),
        'uuid',
      )},
      ${array(
        results.map(({ delivery }) => delivery.event_id),
        'uuid',
      )},
      ${array(
        results.map(({ delivery }) => delivery.event),
        'text',
      )},
      ${sql.array(
        results.map(({ delivery }) => delivery.attempt),
        'int4',
      )},
      ${array(
        results.map(({ succeeded }) => (succeeded ? 'succeeded' : 'failed')),
        'text',
      )},
      ${sql.array(
        results.map(({ responseStatus }) => responseStatus),
        'int4',
      )},
      ${array(
        results.map(({ error }) => error),
        'text',
      )},
      ${sql.array(
        results.map(({ durationMs }) => durationMs),
        'int4',
      )},
      ${sql.array(
        results.map(({ attemptedAt }) => iso(attemptedAt)),
        'timestamptz',
      )},
      ${sql.array(
        results.map(({ nextAt }) => iso(nextAt)),
        'timestamptz',
      )},
      ${sql.array(
        results.map(({ delivery }) => delivery.redelivery),
        'bool',
      )}
    ) as r (id, event_id, event, attempt, status, response_status, error, duration_ms, attempted_at, next_attempt_at, redelivery)`);
}

/** Attempts that were detached from the queue and are now in the log. */
async function forget(tx: Transaction, detached: readonly string[]): Promise<void> {
  await tx.exec(statement`
    delete from webhook_detached_attempts where id = any(${array(detached, 'uuid')})`);
}

/** A row that a redelivery has created meanwhile has another delivery's id, and is left alone. */
async function settleQueue(tx: Transaction, endpointId: string, results: readonly Settled[]): Promise<void> {
  const done = results.filter(({ nextAt }) => nextAt === null).map(({ delivery }) => delivery.delivery_id);
  const again = results.filter(({ nextAt }) => nextAt !== null);
  if (done.length > 0) {
    await tx.exec(statement`
      delete from webhook_queue where endpoint_id = ${endpointId} and delivery_id = any(${array(done, 'uuid')})`);
  }
  if (again.length > 0) {
    await tx.exec(statement`
      update webhook_queue q
      set attempt = q.attempt + 1, due_at = r.due_at, delivery_id = null, leased_at = null, leased_until = null
      from unnest(
        ${array(
          again.map(({ delivery }) => delivery.delivery_id),
          'uuid',
        )},
        ${sql.array(
          again.map(({ nextAt }) => nextAt && at(nextAt)),
          'timestamptz',
        )}
      ) as r (delivery_id, due_at)
      where q.endpoint_id = ${endpointId} and q.delivery_id = r.delivery_id`);
  }
}

async function disable(
  tx: Transaction,
  id: string,
  { site_id: siteId, organisation_id: organisationId }: z.infer<typeof counterRow>,
  now: Date,
): Promise<void> {
  const reason = `disabled after ${FAILURE_LIMIT} failed attempts in a row`;
  await tx.exec(statement`
    update webhook_endpoints
    set enabled = false, disabled_reason = ${reason}, disabled_at = ${at(now)}, version = version + 1, updated_at = ${at(now)}
    where id = ${id}`);
  await clearQueue(tx, id, 'all');
  const entry = {
    actor: { kind: 'system', name: 'webhook delivery' },
    action: 'webhook.disable',
    target: { type: 'webhook', id },
    siteId,
    organisationId,
    details: { reason, enabled: { before: true, after: false } },
  } as const;
  recordAudit(tx, entry, now);
  const { actor, target } = entry;
  notify(tx, { kind: 'webhook.disabled', siteId, organisationId, actor, target }, now);
}
