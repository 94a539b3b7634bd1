import { z } from 'zod';
import { traceparent } from '../observability/tracing/trace.ts';
import type { Effects } from './effects.ts';
import type { Transaction } from './transaction.ts';
import type { Queryable } from './statements.ts';
import { at, sql, statement } from './sql.ts';
import type { FragmentSqlToken } from './sql.ts';

/** A message of a committed change to a workflow. The domain declares the kinds and their payloads. */
export interface OutboxMessage {
  readonly kind: string;
  readonly workflow_id: string;
  /** Ids; `siteId` is the Site whose share it takes, if it has one. */
  readonly payload: Readonly<Record<string, unknown>> & { readonly siteId?: string };
}

/** A stored message, perhaps written by another version, or by hand. */
const storedRow = z.object({
  id: z.number(),
  attempts: z.number(),
  kind: z.string(),
  workflow_id: z.string(),
  payload: z.unknown(),
  /** The trace context in which it was written, if it was traced. */
  traceparent: z.string().nullable(),
});

export type StoredRow = z.infer<typeof storedRow>;

/** Writes a message for the relay, with the COMMIT of its change. */
export function enqueue(tx: Effects, left: OutboxMessage, now: Date): void {
  tx.add((when) => insertion(left, now, atOnce(now), when));
  tx.notify('presswork_outbox', left.payload.siteId);
}

/** Writes a message like `enqueue` if the condition holds when its statement runs. */
export function enqueueIf(tx: Effects, left: OutboxMessage, now: Date, condition: FragmentSqlToken): void {
  tx.add<{ readonly id: number }>(
    (when) => sql.fragment`
      ${insertion(left, now, atOnce(now), sql.fragment`${when} and ${condition}`)} returning id`,
    {
      read(written) {
        if (written.length > 0) tx.notify('presswork_outbox', left.payload.siteId);
      },
    },
  );
}

/**
 * Writes a message like `enqueue` for each row of a query.
 *
 * @param messages selects `workflow_id`, `payload` and its `site_id`
 */
export function enqueueEach(tx: Effects, kind: string, messages: FragmentSqlToken, now: Date): void {
  tx.add<{ readonly site_id: string }>(
    (when) => sql.fragment`
      insert into outbox (kind, workflow_id, payload, created_at, available_at, traceparent)
      select ${kind}::text, m.workflow_id, m.payload, ${at(now)}::timestamptz, ${atOnce(now)}, ${traceparent()}::text
      from (${messages}) m where ${when} returning payload ->> 'siteId' as site_id`,
    {
      read(written) {
        for (const siteId of new Set(written.map(({ site_id: id }) => id)))
          tx.notify('presswork_outbox', siteId);
      },
    },
  );
}

/** Also due by the database's clock: the relay's clock may be behind this process's. */
const atOnce = (now: Date): FragmentSqlToken => sql.fragment`least(${at(now)}::timestamptz, now())`;

/** Inserts a message that the relay ignores until a time, and returns its `id`, by which it can be deleted before. */
export const postponed = (
  left: OutboxMessage,
  now: Date,
  availableAt: Date,
  when: FragmentSqlToken,
): FragmentSqlToken => sql.fragment`
  ${insertion(left, now, sql.fragment`${at(availableAt)}::timestamptz`, when)} returning id`;

const insertion = (
  left: OutboxMessage,
  now: Date,
  due: FragmentSqlToken,
  when: FragmentSqlToken,
): FragmentSqlToken => sql.fragment`
  insert into outbox (kind, workflow_id, payload, created_at, available_at, traceparent)
  select ${left.kind}::text, ${left.workflow_id}::text, ${JSON.stringify(left.payload)}::jsonb, ${at(now)}::timestamptz,
    ${due}, ${traceparent()}::text
  where ${when}`;

const claimedRow = storedRow.extend({ full: z.boolean() });

/**
 * Claims due messages, by the given clock or the database's; other relays skip them until this transaction ends. Sites
 * get equal shares, so that many messages of one do not delay those of others.
 *
 * @returns the messages, and whether a Site may have more due messages
 */
export async function claimMessages(
  tx: Transaction,
  now: Date,
  count: number,
): Promise<{ readonly messages: readonly StoredRow[]; readonly more: boolean }> {
  // Finds the Sites by skipping through the index from one to the next. Due Sites are taken in random order, so that
  // each gets its turn if there are more of them than rows to take.
  const rows = await tx.any(sql.type(claimedRow)`
    with recursive known (site) as (
      (select coalesce(payload ->> 'siteId', '') from outbox order by 1 limit 1)
      union all
      select (select coalesce(o.payload ->> 'siteId', '') from outbox o
        where coalesce(o.payload ->> 'siteId', '') > k.site order by 1 limit 1)
      from known k where k.site is not null
    ), due as materialized (
      select k.site from known k where k.site is not null and exists (
        select from outbox o where coalesce(o.payload ->> 'siteId', '') = k.site
          and o.available_at <= greatest(${at(now)}::timestamptz, now())
      ) order by random() limit ${count}
    ), part as materialized (select ceil(${count}::numeric / greatest(1, count(*)))::int as size from due)
    select m.id, m.kind, m.workflow_id, m.payload, m.attempts, m.traceparent,
      count(*) over (partition by due.site) >= part.size as full
    from due cross join part cross join lateral (
      select o.id, o.kind, o.workflow_id, o.payload, o.attempts, o.traceparent from outbox o
      where coalesce(o.payload ->> 'siteId', '') = due.site
        and o.available_at <= greatest(${at(now)}::timestamptz, now())
      order by o.available_at, o.id limit part.size for update skip locked
    ) m`);
  return { messages: rows, more: rows.some(({ full }) => full) };
}

export async function removeMessages(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.exec(statement`delete from outbox where id = any(${sql.array(ids, 'int8')})`);
}

/** Delays a message, and stores the error for an operator. */
export async function retryMessage(
  tx: Transaction,
  id: number,
  error: string,
  availableAt: Date,
): Promise<void> {
  await tx.exec(statement`
    update outbox set attempts = attempts + 1, last_error = ${error.slice(0, 1_000)}, available_at = ${at(availableAt)}
    where id = ${id}`);
}

const age = z.object({ waiting: z.number(), oldest_seconds: z.number(), failing: z.number() });

/** After so many tries, which take 6 s, the cause is hardly a short outage: an operator should look. */
const FAILING_ATTEMPTS = 5;

/** The longest back-off of a message. */
export const LONGEST_BACK_OFF_MS = 60_000;

/**
 * How many messages are due or wait for a retry, the age of the oldest (more than a few seconds means that something is
 * wrong), and how many have failed repeatedly. Counts up to 10,000.
 */
export function outboxAge(db: Queryable, now: Date): Promise<z.infer<typeof age>> {
  return db.one(sql.type(age)`
    select count(*)::int as waiting,
      coalesce(extract(epoch from ${at(now)}::timestamptz - min(created_at)), 0)::float8 as oldest_seconds,
      count(*) filter (where attempts >= ${FAILING_ATTEMPTS}::int)::int as failing
    from (
      select created_at, attempts from outbox
      where available_at <= ${at(new Date(now.getTime() + LONGEST_BACK_OFF_MS))}
        and (available_at <= ${at(now)} or attempts > 0)
      order by available_at limit 10000
    ) waiting
  `);
}
