import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, sql, timestamp } from '../../db/sql.ts';
import { mayGoOn, stoppedByRevocation } from '../access/standing.ts';
import { articleWeight } from '../articles/row.ts';
import { mayBeWanted, offerEvent } from '../events/events.ts';
import { rescue } from '../kernel/workflow-messages.ts';
import { notify } from '../notifications/notify.ts';
import { connectionKinds } from './config.ts';
import { presentPush } from './present.ts';
import { getPush } from './push.ts';

const claimedRow = z.object({
  push_id: z.string(),
  position: z.number(),
  article_id: z.string(),
  /** The number of this attempt, from 1. */
  attempts: z.number(),
  force: z.boolean(),
  asked_at: timestamp,
});

/** An item of a push whose turn has come. */
export type ClaimedItem = z.infer<typeof claimedRow>;

/** A claim takes items until their articles have so many bytes, which may be twice as many in memory. */
const CLAIM_BYTES = 4 * 2 ** 20;

/**
 * Claims items that are due, for the process that has the lease. The attempt is counted before it is made, so that one
 * that ends the process is counted too.
 */
export const claimItems = async (
  tx: Transaction,
  connectionId: string,
  now: Date,
  count: number,
): Promise<readonly ClaimedItem[]> => {
  // Recursive, because it weighs no articles beyond those that it takes: their documents are written out for that.
  const rows = await tx.any(sql.type(claimedRow)`
    with recursive due as (
      select push_id, position, article_id, due_at from cms_push_items
      where connection_id = ${connectionId} and due_at <= ${at(now)}
      order by due_at, push_id, position limit ${count} for update
    ), placed as (
      select *, row_number() over (order by due_at, push_id, position) as place from due
    ), next as (
      select null::uuid as push_id, null::int as position, 0::bigint as place, 0::bigint as bytes
      union all
      select p.push_id, p.position, p.place,
        n.bytes + coalesce((select ${articleWeight} from articles a where a.id = p.article_id), 0)
      from next n join placed p on p.place = n.place + 1 where n.bytes < ${CLAIM_BYTES}::int
    )
    update cms_push_items i set attempts = i.attempts + 1 from next n join cms_pushes p on p.id = n.push_id
    where i.push_id = n.push_id and i.position = n.position
    returning i.push_id, i.position, i.article_id, i.attempts, p.force, p.created_at as asked_at`);
  return rows.toSorted((one, other) => order(one, other));
};

const order = (one: ClaimedItem, other: ClaimedItem): number =>
  one.push_id < other.push_id ? -1 : one.push_id > other.push_id ? 1 : one.position - other.position;

const stateRow = z.object({
  site_id: z.string(),
  kind: z.enum(connectionKinds),
  enabled: z.boolean(),
  waiting: z.number(),
  due_at: timestamp.nullable(),
  held_until: timestamp.nullable(),
  leased_until: timestamp.nullable(),
  last_error: z.string().nullable(),
});

export type PushQueue = z.infer<typeof stateRow>;

/** The most waiting items that are counted. */
const COUNTED = 10_000;

/** The waiting pushes of a connection; null if it was deleted. */
export const readPushQueue = (db: Queryable, connectionId: string): Promise<PushQueue | null> =>
  db.maybeOne(sql.type(stateRow)`
    select c.site_id, c.kind, c.enabled and s.deleting_since is null as enabled, c.held_until, c.leased_until, c.last_error,
      (
        select count(*)::int from (
          select from cms_push_items i where i.connection_id = c.id and i.due_at is not null limit ${COUNTED}
        ) counted
      ) as waiting,
      (select min(i.due_at) from cms_push_items i where i.connection_id = c.id) as due_at
    from cms_connections c join sites s on s.id = c.site_id
    where c.id = ${connectionId} and c.deleted_at is null`);

const endedRow = z.object({ push_id: z.string() });

/** Fails a batch of the items that wait for a connection which is disabled. @returns how many */
export async function endWaiting(
  tx: Transaction,
  connectionId: string,
  now: Date,
  size: number,
): Promise<number> {
  const rows = await tx.any(sql.type(endedRow)`
    update cms_push_items i set status = 'failed', due_at = null,
      error = 'The connection was disabled. Enable it with PATCH /delivery/connections/{id}, and push again.'
    from (
      select push_id, position from cms_push_items where connection_id = ${connectionId} and due_at is not null
      order by due_at limit ${size} for update
    ) n, cms_connections c
    where i.push_id = n.push_id and i.position = n.position and c.id = ${connectionId} and not c.enabled
    returning i.push_id`);
  await finishPushes(
    tx,
    rows.map(({ push_id: id }) => id),
    now,
  );
  return rows.length;
}

/** Fails due work of keys that may not go on. */
export async function endRevoked(tx: Transaction, connectionId: string, now: Date): Promise<void> {
  const { code, message } = stoppedByRevocation();
  const rows = await tx.any(sql.type(endedRow)`
    update cms_push_items i set status = 'failed', due_at = null, error = ${`${code}: ${message}`}
    from cms_pushes p
    where i.connection_id = ${connectionId} and i.due_at <= ${at(now)} and p.id = i.push_id
      and not ${mayGoOn(sql.fragment`p.key_id`, 'pipeline.run', now)}
    returning i.push_id`);
  await finishPushes(
    tx,
    rows.map(({ push_id: id }) => id),
    now,
  );
}

const finishedRow = z.object({
  id: z.string(),
  site_id: z.string(),
  subscribed_events: z.array(z.string()),
  failed: z.number(),
});

/** Ends pushes whose items have all ended, and tells of those with items that failed, whatever they failed of. */
export async function finishPushes(tx: Transaction, pushIds: readonly string[], now: Date): Promise<void> {
  const finished = await tx.any(sql.type(finishedRow)`
    update cms_pushes p set finished_at = greatest(${at(now)}::timestamptz, p.created_at) from sites s
    where p.id = any(${array([...new Set(pushIds)], 'uuid')}) and p.finished_at is null and s.id = p.site_id
      and not exists (select from cms_push_items i where i.push_id = p.id and i.due_at is not null)
    returning p.id, p.site_id, s.subscribed_events,
      (select count(*)::int from cms_push_items i where i.push_id = p.id and i.status = 'failed') as failed`);
  for (const { id, site_id: siteId, subscribed_events: subscribedEvents, failed } of finished) {
    if (failed > 0) {
      const target = { type: 'push', id };
      const named = { articles: String(failed) };
      notify(tx, { kind: 'push.failed', siteId, actor: null, target, named }, now);
    }
    const site = { id: siteId, subscribedEvents };
    if (!mayBeWanted(site, 'push.finished')) continue;
    const push = presentPush(await getPush(tx, siteId, id));
    offerEvent({ tx, site, now }, 'push.finished', () => push);
  }
}

/** Wakes the workflows of connections with items that have been due for `graceMs` and that nobody works on. */
export function rescuePushes(tx: Transaction, now: Date, graceMs: number): Promise<number> {
  const before = at(new Date(now.getTime() - graceMs));
  const lost = sql.fragment`
    select c.id, c.site_id from cms_connections c
    where c.deleted_at is null and coalesce(c.held_until, '-infinity') <= ${before}
      and coalesce(c.leased_until, '-infinity') <= ${before}
      and exists (select from cms_push_items i where i.connection_id = c.id and i.due_at <= ${before})`;
  return rescue(tx, 'cms-push', null, lost, now);
}
