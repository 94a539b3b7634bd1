import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { sql } from '../../db/sql.ts';
import type { Site, Subscriptions } from '../kernel/site.ts';
import { inBatch } from '../kernel/batch.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { ErrorDetails } from '../kernel/errors.ts';
import type { OfferedEvent } from './catalogue.ts';
import { mayBeWanted } from './events.ts';

/** The most bytes of stored events for one Site (docs/decisions/0044). */
export const EVENT_BYTES_LIMIT = 10_000_000_000;

/** Room returns gradually, because events are deleted as they turn 30 days old. */
const RETRY_SECONDS = 3_600;

/**
 * Refuses a change that would record a large event while the Site's events have reached their ceiling. Uses the state
 * that housekeeping last recorded: nothing is counted or locked here. Changes by the worker are never refused, nor are
 * changes that take content off the blog.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export function requireEventQuota(
  { eventsFull }: Pick<Site, 'eventsFull'>,
  details: Pick<ErrorDetails, 'limit'> = {},
): void {
  if (!eventsFull) return;
  throw new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `The events of this Site, which are kept for 30 days, have reached ${EVENT_BYTES_LIMIT / 1e9} GB in all: until older ones expire, articles cannot be published, scheduled or, while published, changed, nor, while an endpoint subscribes to that, created or edited ahead, and comments are not accepted. Make fewer changes of published articles, each of which stores a copy, and try again in ${RETRY_SECONDS} seconds.`,
    { ...details, headers: { 'Retry-After': String(RETRY_SECONDS) } },
  );
}

/** Refuses the same of a change whose large event is recorded only if an endpoint subscribes to it. */
export function requireQuotaIfWanted(
  site: Partial<Pick<Site, 'eventsFull'>> & Subscriptions,
  event: OfferedEvent,
): void {
  if (site.eventsFull && mayBeWanted(site, event)) requireEventQuota({ eventsFull: true });
}

const foldedRow = z.object({ folded: z.number() });

/** Adds a batch of the changes that triggers recorded to the totals of their Sites. @returns how many */
export async function foldEventBytes(tx: Transaction, size: number): Promise<number> {
  const { folded } = await tx.one(sql.type(foldedRow)`
    with taken as (
      delete from event_byte_changes where ${inBatch({ table: 'event_byte_changes', by: 'id', size })}
      returning site_id, bytes
    ), added as (
      insert into site_usage as u (site_id, event_bytes)
      select site_id, sum(bytes) from taken group by site_id order by site_id
      on conflict (site_id) do update set event_bytes = u.event_bytes + excluded.event_bytes
    )
    select count(*)::int as folded from taken`);
  return folded;
}

const markedRow = z.object({ site_id: z.string(), events_full: z.boolean() });

/**
 * Records which Sites have reached the ceiling, and which have room again. Skips locked Sites until the next run, so
 * that one Site does not delay the others.
 *
 * @returns the Sites whose state has changed
 */
export function markFullSites(tx: Transaction): Promise<readonly z.infer<typeof markedRow>[]> {
  return tx.any(sql.type(markedRow)`
    update sites s set events_full = m.events_full
    from (
      select s.id, u.event_bytes >= ${EVENT_BYTES_LIMIT} as events_full
      from sites s join site_usage u on u.site_id = s.id
      where s.events_full <> (u.event_bytes >= ${EVENT_BYTES_LIMIT})
      for no key update of s skip locked
    ) m
    where s.id = m.id
    returning s.id as site_id, s.events_full`);
}
