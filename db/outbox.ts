import { z } from 'zod';
import { traceparent } from '../observability/tracing/trace.ts';
import type { ConditionalStatement, Effects } from './effects.ts';
import type { Queryable } from './statements.ts';
import { array, at, sql, statement } from './sql.ts';
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
 * @param messages selects `workflow_id` and `payload`, perhaps from the rows of a statement before it
 */
export function enqueueEach(
  tx: Effects,
  kind: string,
  messages: (rows: FragmentSqlToken) => FragmentSqlToken,
  now: Date,
  after?: ConditionalStatement,
): void {
  tx.add<{ readonly site_id: string | null }>(
    (when, rows) => sql.fragment`
      insert into outbox (kind, workflow_id, payload, created_at, available_at, traceparent)
      select ${kind}::text, m.workflow_id, m.payload, ${at(now)}::timestamptz, ${atOnce(now)}, ${traceparent()}::text
      from (${messages(rows)}) m where ${when} returning payload ->> 'siteId' as site_id`,
    {
      ...(after !== undefined && { after }),
      read(written) {
        for (const siteId of new Set(written.map(({ site_id: id }) => id)))
          tx.notify('presswork_outbox', siteId ?? '');
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

const claimedRow = storedRow.extend({
  /** Whose share it takes: the organisation of its Site. */
  organisation: z.string(),
  full: z.boolean(),
});

export type ClaimedRow = z.infer<typeof claimedRow>;

/** How long other relays leave a claimed message alone: longer than the call that hands it over. */
const LEASE = sql.fragment`interval '7 seconds'`;

/** How many messages may be claimed. */
interface Room {
  readonly count: number;
  /** The most of one organisation, those included that it has under way. */
  readonly ofOrganisation: number;
  readonly underWay: ReadonlyMap<string, number>;
}

/**
 * Claims due messages, by the given clock or the database's, for some seconds: who dies with them leaves them to others.
 * Organisations get equal shares, and so do their Sites, so that many messages of one do not delay those of others.
 *
 * @returns the messages; `full` says that their Site may have more that are due
 */
export function claimMessages(
  db: Queryable,
  now: Date,
  { count, ofOrganisation, underWay }: Room,
): Promise<readonly ClaimedRow[]> {
  const due = sql.fragment`o.available_at <= greatest(${at(now)}::timestamptz, now())`;
  const site = sql.fragment`coalesce(o.payload ->> 'siteId', '')`;
  // Finds the Sites by skipping through the index from one to the next. Organisations and Sites are taken in random order,
  // so that each gets its turn if there are more of them than rows to take. A Site without a row, as of a message that was
  // written by hand, is its own organisation.
  return db.any(sql.type(claimedRow)`
    with recursive known (site) as (
      (select ${site} from outbox o order by 1 limit 1)
      union all
      select (select ${site} from outbox o where ${site} > k.site order by 1 limit 1)
      from known k where k.site is not null
    ), due as materialized (
      select k.site, coalesce(s.organisation_id::text, k.site) as organisation
      from known k left join sites s
        on s.id = case when k.site ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then k.site::uuid end
      where k.site is not null and exists (select from outbox o where ${site} = k.site and ${due})
    ), organisation as materialized (
      select d.organisation, count(*) as sites,
        least(
          ${ofOrganisation}::int - coalesce(max(u.messages), 0),
          ceil(${count}::numeric / count(*) over ())
        )::int as room
      from due d left join unnest(
        ${array([...underWay.keys()], 'text')},
        ${sql.array([...underWay.values()], 'int4')}
      ) as u (organisation, messages) using (organisation)
      group by d.organisation order by random() limit ${count}
    ), part as materialized (
      select d.site, d.organisation, o.room, ceil(o.room::numeric / o.sites)::int as size,
        row_number() over (partition by d.organisation order by random()) as place
      from due d join organisation o using (organisation) where o.room > 0
    ), claimed as materialized (
      select m.id, p.organisation, count(*) over (partition by p.site) >= p.size as full
      from part p cross join lateral (
        select o.id from outbox o where ${site} = p.site and ${due}
        order by o.available_at, o.id limit p.size for update skip locked
      ) m
      where p.place <= p.room
    )
    update outbox o set available_at = greatest(${at(now)}::timestamptz, now()) + ${LEASE}
    from claimed c where o.id = c.id
    returning o.id, o.kind, o.workflow_id, o.payload, o.attempts, o.traceparent, c.organisation, c.full`);
}

/** The result of a claimed message: handed over, or to be tried again. */
export interface HandOver {
  readonly id: number;
  readonly retry: { readonly error: string; readonly availableAt: Date } | null;
}

/** Deletes messages that were handed over. Delays the others, and stores their errors for an operator. */
export async function settleMessages(db: Queryable, outcomes: readonly HandOver[]): Promise<void> {
  const done = outcomes.flatMap(({ id, retry }) => (retry === null ? [id] : []));
  if (done.length > 0)
    await db.exec(statement`delete from outbox where id = any(${sql.array(done, 'int8')})`);
  for (const { id, retry } of outcomes)
    if (retry !== null)
      await db.exec(statement`
        update outbox set attempts = attempts + 1, last_error = ${retry.error.slice(0, 1_000)},
          available_at = ${at(retry.availableAt)}
        where id = ${id}`);
}

const age = z.object({ waiting: z.number(), oldest_seconds: z.number(), failing: z.number() });

/** After so many tries, which take 6 s, the cause is hardly a short outage: an operator should look. */
const FAILING_ATTEMPTS = 5;

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
