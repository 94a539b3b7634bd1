import { array, at, sql, statement } from '../../db/sql.ts';
import type { AuditAction } from '../audit/actions.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import type { Details } from '../audit/details.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { newId } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { channelColumns, channelRow } from './channel.ts';
import type { Channel, ChannelKind } from './channel.ts';
import { mutable } from './kinds.ts';
import type { NotificationKind } from './kinds.ts';

/** The most channels of a Site (docs/spec/rulings.md, 24). */
export const CHANNEL_LIMIT = 10;

interface NewChannel {
  readonly kind: ChannelKind;
  readonly name: string;
  readonly url: string;
  readonly kinds?: readonly NotificationKind[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** @throws ServiceError CONFLICT for the eleventh channel */
export async function createChannel(
  change: Change,
  box: SecretBox,
  { kind, name, url, kinds = mutable, enabled = true }: NewChannel,
): Promise<Channel> {
  const { tx, site, now } = change;
  await requireRoom(tx, site.id, {
    limit: CHANNEL_LIMIT,
    existing: sql.fragment`select from channels where site_id = ${site.id}`,
    message: `A Site has at most ${CHANNEL_LIMIT} channels. Delete one first.`,
  });
  const id = newId();
  const channel = await tx.one(sql.type(channelRow)`
    insert into channels as c (id, site_id, kind, name, secret, host, kinds, enabled, created_at, updated_at)
    values (${id}, ${site.id}, ${kind}, ${name}, ${sql.binary(box.seal(url, id))}, ${new URL(url).host},
      ${array(distinct(kinds), 'text')}, ${enabled}, ${at(now)}, ${at(now)})
    returning ${channelColumns}`);
  audit(change, 'channel.create', channel, known(channel));
  return channel;
}

export type ChannelChanges = { readonly [Name in keyof NewChannel]?: NewChannel[Name] | undefined };

/** Updates the given members that differ. A URL that is sent counts as another one: the stored one is not shown. */
export async function updateChannel(
  change: Change,
  box: SecretBox,
  current: Channel,
  { url, ...sent }: ChannelChanges,
): Promise<Channel> {
  const { tx, now } = change;
  const next = {
    kind: sent.kind ?? current.kind,
    name: sent.name ?? current.name,
    kinds: distinct(sent.kinds ?? current.kinds),
    enabled: sent.enabled ?? current.enabled,
    host: url === undefined ? current.host : new URL(url).host,
  };
  const changes = differences(current, { ...current, ...next }, ['kind', 'name', 'kinds', 'enabled', 'host']);
  if (Object.keys(changes).length === 0 && url === undefined) return current;
  const secret = url === undefined ? sql.fragment`c.secret` : sql.binary(box.seal(url, current.id));
  const channel = await tx.one(sql.type(channelRow)`
    update channels c set
      kind = ${next.kind}, name = ${next.name}, kinds = ${array(next.kinds, 'text')}, enabled = ${next.enabled},
      secret = ${secret}, host = ${next.host},
      last_error = case when ${url !== undefined}::boolean then null else c.last_error end,
      version = c.version + 1, updated_at = ${at(now)}
    where c.id = ${current.id}
    returning ${channelColumns}`);
  // In both directions, because a concurrent change may have added a message after the disabling.
  if (next.enabled !== current.enabled)
    await tx.exec(statement`
      update channel_messages set due_at = null where channel_id = ${current.id} and due_at is not null`);
  audit(change, 'channel.update', channel, { ...changes, ...(url !== undefined && { new_url: true }) });
  return channel;
}

/** Deletes a channel. What waits for it is not sent. */
export async function deleteChannel(change: Change, current: Channel): Promise<void> {
  await change.tx.exec(statement`delete from channels where id = ${current.id}`);
  audit(change, 'channel.delete', current, known(current));
}

const distinct = (kinds: readonly string[]): readonly string[] => [...new Set(kinds)].toSorted();

const known = ({ kind, name, host, kinds, enabled }: Channel): Details => ({
  kind,
  name,
  host,
  kinds,
  enabled,
});

const audit = (change: Change, action: AuditAction, { id }: Channel, details: Details): void =>
  recordChange(change, action, { type: 'channel', id }, details);
