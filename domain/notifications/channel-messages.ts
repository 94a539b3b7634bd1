import { z } from 'zod';
import type { Effects } from '../../db/effects.ts';
import { enqueueEach } from '../../db/outbox.ts';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, json, sql, statement, timestamp } from '../../db/sql.ts';
import { notFound } from '../kernel/errors.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { rescue, workflowIdOf } from '../kernel/workflow-messages.ts';
import { channelKinds } from './channel.ts';
import { isAboutSecurity, kinds } from './kinds.ts';
import type { Notice } from './notice.ts';

const HOUR_MS = 60 * 60_000;
/** The most messages of a channel in an hour: the dashboard shows the rest. */
export const MESSAGES_AN_HOUR = 100;

/**
 * Tells the channels that want to know, together with the people: one message for each channel, whoever is told, or did
 * it. What concerns the organisation is told by those of all its Sites.
 */
export function tellChannels(tx: Effects, notice: Notice, now: Date): void {
  const { kind, siteId, organisationId, target, named = {} } = notice;
  if (isAboutSecurity(kind)) return;
  const ofSites =
    siteId === null
      ? sql.fragment`c.site_id in (select id from sites where organisation_id = ${organisationId ?? null}::uuid)`
      : sql.fragment`c.site_id = ${siteId}::uuid`;
  const recent = sql.fragment`
    from channel_messages m
    where m.channel_id = c.id and m.created_at > ${at(new Date(now.getTime() - HOUR_MS))}::timestamptz`;
  // A channel does not say what was read: what waits for somebody is told once an hour.
  const again =
    kinds[kind].again === undefined
      ? sql.fragment`true`
      : sql.fragment`not exists (select ${recent} and m.kind = ${kind}::text)`;
  enqueueEach(
    tx,
    'channel',
    (told) => sql.fragment`
      select ${workflowIdOf('channel', '')}::text || channel_id as workflow_id,
        jsonb_build_object('channelId', channel_id, 'siteId', site_id) as payload
      from (select t.channel_id, c.site_id from ${told} t join channels c on c.id = t.channel_id) told`,
    now,
    // The lock has a channel that is being deleted left out, instead of failing the change.
    (when) => sql.fragment`
      insert into channel_messages (id, channel_id, kind, details, target_id, created_at, due_at)
      select gen_random_uuid(), c.id, ${kind}::text, ${json(named)}::jsonb, ${target?.id ?? null}::uuid,
        ${at(now)}::timestamptz, ${at(now)}::timestamptz
      from channels c
      where ${when} and ${ofSites} and c.enabled and ${kind}::text = any(c.kinds) and ${again}
        and (select count(*) from (select ${recent} limit ${MESSAGES_AN_HOUR}) recent) < ${MESSAGES_AN_HOUR}
      for key share of c
      returning channel_id`,
  );
}

/** The columns of a channel that reach it, from the tables `c` and `s`. */
const targetColumns = sql.fragment`
  c.id as channel_id, c.version as channel_version, c.kind as channel_kind, c.secret, c.site_id, s.name as site_name,
  s.locale`;

const targetRow = z.object({
  channel_id: z.string(),
  channel_version: z.number(),
  channel_kind: z.enum(channelKinds),
  secret: z.instanceof(Buffer),
  site_id: z.string(),
  site_name: z.string(),
  locale: z.string(),
});

/** Where a channel leads, with its sealed URL. */
export type ChannelTarget = z.infer<typeof targetRow>;

/** @throws ServiceError NOT_FOUND */
export async function readChannelTarget(db: Queryable, siteId: string, id: string): Promise<ChannelTarget> {
  const row = await db.maybeOne(sql.type(targetRow)`
    select ${targetColumns} from channels c join sites s on s.id = c.site_id
    where c.id = ${id} and c.site_id = ${siteId}`);
  if (row === null) throw notFound('channel');
  return row;
}

const dueRow = targetRow.extend({
  id: z.string(),
  kind: z.string(),
  details: z.record(z.string(), z.string()),
  target_id: z.string().nullable(),
  attempts: z.number(),
});

/** A message that is to be sent now. */
export type DueMessage = z.infer<typeof dueRow>;

/** The oldest messages of a channel that are due; none while it is disabled. */
export const findDueMessages = (
  db: Queryable,
  channelId: string,
  now: Date,
  count: number,
): Promise<readonly DueMessage[]> =>
  db.any(sql.type(dueRow)`
    select ${targetColumns}, m.id, m.kind, m.details, m.target_id, m.attempts
    from channel_messages m join channels c on c.id = m.channel_id join sites s on s.id = c.site_id
    where m.channel_id = ${channelId} and m.due_at <= ${at(now)} and c.enabled
    order by m.created_at, m.id limit ${count}`);

/** How an attempt ended; `error` names no secret. */
export type PostOutcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly final: boolean; readonly error: string };

/** Stores how an attempt ended. @param again when the next one is due; null if there is none */
export async function settleMessage(
  tx: Transaction,
  message: DueMessage,
  outcome: PostOutcome,
  again: Date | null,
  now: Date,
): Promise<void> {
  await tx.exec(statement`
    update channel_messages set attempts = attempts + 1, due_at = ${again && at(again)}::timestamptz,
      sent_at = ${outcome.sent ? at(now) : null}::timestamptz
    where id = ${message.id}`);
  const error = outcome.sent ? null : outcome.error;
  // What another URL has answered says nothing about this one.
  await tx.exec(statement`
    update channels set last_error = ${error}::text
    where id = ${message.channel_id} and version = ${message.channel_version} and last_error is distinct from ${error}::text`);
}

const nextRow = z.object({ next: timestamp.nullable() });

/** When a channel's next message is due; null if none is. */
export async function nextMessageAt(db: Queryable, channelId: string): Promise<Date | null> {
  const { next } = await db.one(sql.type(nextRow)`
    select min(m.due_at) as next from channel_messages m join channels c on c.id = m.channel_id
    where m.channel_id = ${channelId} and m.due_at is not null and c.enabled`);
  return next;
}

/** Starts the workflows of channels whose messages are overdue. */
export function rescueChannels(tx: Transaction, now: Date, lateMs: number): Promise<number> {
  const lost = sql.fragment`
    select distinct c.id, c.site_id from channel_messages m join channels c on c.id = m.channel_id
    where m.due_at < ${at(new Date(now.getTime() - lateMs))} and c.enabled`;
  return rescue(tx, 'channel', null, lost, now);
}

/** Longer than a message is tried, and long enough to look into it. */
const RETENTION_MS = 7 * 24 * HOUR_MS;

/** Deletes a batch of what channels were told a week ago. @returns how many */
export const deleteOldChannelMessages = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, {
    table: 'channel_messages',
    by: 'created_at',
    until: new Date(now.getTime() - RETENTION_MS),
    size,
  });
