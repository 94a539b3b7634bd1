import { z } from 'zod';
import { traceparent } from '../tracing/trace.ts';
import type { Transaction } from './transaction.ts';
import type { Queryable } from './statements.ts';
import { at, sql, statement } from './sql.ts';
import type { FragmentSqlToken } from './sql.ts';

/** What a committed change asks of Temporal. Payloads are ids. */
const message = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('scheduled-publish'),
    workflow_id: z.string(),
    payload: z.object({
      articleId: z.string(),
      siteId: z.string(),
      signal: z.enum(['reschedule', 'cancel']),
    }),
  }),
  z.object({
    kind: z.literal('upload-reservation'),
    workflow_id: z.string(),
    payload: z.object({
      uploadId: z.string(),
      siteId: z.string(),
      signal: z.enum(['reserved', 'registered']),
    }),
  }),
  z.object({
    kind: z.literal('key-rotation'),
    workflow_id: z.string(),
    payload: z.object({
      keyId: z.string(),
      rotation: z.number(),
      siteId: z.string(),
      signal: z.enum(['rotated', 'cut']),
    }),
  }),
  z.object({
    kind: z.literal('pipeline-run'),
    workflow_id: z.string(),
    payload: z.object({ runId: z.string(), siteId: z.string(), signal: z.enum(['start', 'cancel']) }),
  }),
  z.object({
    kind: z.literal('object-removal'),
    workflow_id: z.string(),
    payload: z.object({ objectId: z.string(), siteId: z.string() }),
  }),
  z.object({
    kind: z.literal('cache-purge'),
    workflow_id: z.string(),
    payload: z.object({ purgeId: z.string(), siteId: z.string() }),
  }),
  z.object({
    kind: z.literal('approval'),
    workflow_id: z.string(),
    payload: z.object({
      approvalId: z.string(),
      siteId: z.string(),
      signal: z.enum(['asked', 'decide', 'use']),
    }),
  }),
]);

export type OutboxMessage = z.infer<typeof message>;

/** A row as it lies there: perhaps left by another version, or by hand. */
const storedRow = z.object({
  id: z.number(),
  attempts: z.number(),
  kind: z.string(),
  workflow_id: z.string(),
  payload: z.unknown(),
  /** Which part of which trace left it, where that is traced. */
  traceparent: z.string().nullable(),
});

export type StoredRow = z.infer<typeof storedRow>;

/**
 * @throws Error for a row that this version cannot read. It is to be kept: a newer version, which left it while
 *   this one still runs beside it, can
 */
export function readMessage({ kind, workflow_id, payload }: StoredRow): OutboxMessage {
  const read = message.safeParse({ kind, workflow_id, payload });
  if (read.success) return read.data;
  throw new Error(`A message of kind ${kind} cannot be read: ${z.prettifyError(read.error)}`);
}

/** Leaves a message for the relay, with the COMMIT of the change that it tells of. */
export function enqueue(tx: Transaction, left: OutboxMessage, now: Date): void {
  // Due by the database's clock, too: that of the relay may be behind this process's.
  const due = sql.fragment`least(${at(now)}::timestamptz, now())`;
  tx.atCommit(statement`${insertion(left, now, due)}`);
  tx.notify('presswork_outbox');
}

/** Inserts a message that the relay leaves alone until a time, and gives its `id`, by which it can be taken back. */
export const postponed = (
  left: OutboxMessage,
  now: Date,
  availableAt: Date,
): FragmentSqlToken => sql.fragment`
  ${insertion(left, now, sql.fragment`${at(availableAt)}::timestamptz`)} returning id`;

const insertion = (left: OutboxMessage, now: Date, due: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  insert into outbox (kind, workflow_id, payload, created_at, available_at, traceparent)
  values (${left.kind}, ${left.workflow_id}, ${JSON.stringify(left.payload)}, ${at(now)}, ${due}, ${traceparent()})`;

/** Takes what is due, by the clock given or the database's; other relays pass over it until this transaction ends. */
export function claimMessages(tx: Transaction, now: Date, count: number): Promise<readonly StoredRow[]> {
  return tx.any(sql.type(storedRow)`
    select id, kind, workflow_id, payload, attempts, traceparent from outbox
    where available_at <= greatest(${at(now)}::timestamptz, now())
    order by available_at, id limit ${count} for update skip locked
  `);
}

export async function removeMessages(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.exec(statement`delete from outbox where id = any(${sql.array(ids, 'int8')})`);
}

/** Puts a message off, with the reason, for an operator to read. */
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

/** After so many tries, which take 6 s, it is hardly an outage that is just over: somebody should look. */
const FAILING_ATTEMPTS = 5;

/** No message is put off for longer than this. */
export const LONGEST_BACK_OFF_MS = 60_000;

/**
 * How many messages are due, or were tried and put off, how long ago the oldest was left (above a few seconds something
 * is wrong), and how many of them have been refused again and again. Counted up to 10,000.
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
