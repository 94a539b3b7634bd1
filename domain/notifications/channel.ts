import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { columnsOf, sql, timestamp } from '../../db/sql.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Site } from '../kernel/site.ts';
import { siteObject } from '../kernel/site-object.ts';

export const channelKinds = ['slack', 'teams'] as const;
export type ChannelKind = (typeof channelKinds)[number];

export const channelRow = z.object({
  id: z.string(),
  kind: z.enum(channelKinds),
  name: z.string(),
  host: z.string(),
  kinds: z.array(z.string()),
  enabled: z.boolean(),
  last_error: z.string().nullable(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Where a Site is told, beside its people (docs/spec/rulings.md, 24), without its URL, which is a secret. */
export type Channel = z.infer<typeof channelRow>;

/** The columns of a channel except its URL, from the table `c`. */
export const channelColumns = columnsOf(channelRow, 'c');

export const { get: getChannel, getForUpdate: getChannelForUpdate } = siteObject({
  row: channelRow,
  columns: channelColumns,
  from: sql.fragment`channels c`,
  noun: 'channel',
});

/** A page of a Site's channels, newest first. */
export const listChannels = (db: Queryable, site: Site, request: PageRequest): Promise<Page<Channel>> =>
  readPage(site, 'channels', request, byId('c', 'desc'), ({ after, order }, count) =>
    db.any(sql.type(channelRow)`
      select ${channelColumns} from channels c
      where c.site_id = ${site.id} and ${after} order by ${order} limit ${count}`),
  );

/** A channel as the API shows it: of its URL the host alone. */
export const presentChannel = (channel: Channel) => ({
  id: channel.id,
  kind: channel.kind,
  name: channel.name,
  url: channel.host,
  kinds: channel.kinds,
  enabled: channel.enabled,
  last_error: channel.last_error,
  created_at: channel.created_at.toISOString(),
  updated_at: channel.updated_at.toISOString(),
});
