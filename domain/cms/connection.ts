import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { columnsOf, sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { byId, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { siteObject } from '../kernel/site-object.ts';
import { connectionKinds } from './config.ts';

export const connectionRow = z.object({
  id: z.string(),
  kind: z.enum(connectionKinds),
  name: z.string(),
  config: z.record(z.string(), z.string()),
  secret_set: z.boolean(),
  auto: z.boolean(),
  enabled: z.boolean(),
  last_error: z.string().nullable(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** A connection of a Site to another system, without its secret (docs/spec/rulings.md, 20, Connections). */
export type Connection = z.infer<typeof connectionRow>;

const { secret_set: _computed, ...stored } = connectionRow.shape;

/** The columns of a connection except its secret, from the table `c`. */
export const connectionColumns = sql.fragment`
  ${columnsOf(z.object(stored), 'c')}, c.secret is not null as secret_set`;

export const { get: getConnection, getForUpdate: getConnectionForUpdate } = siteObject({
  row: connectionRow,
  columns: connectionColumns,
  from: sql.fragment`(select * from cms_connections where deleted_at is null) c`,
  noun: 'connection',
});

/** A page of a Site's connections, newest first. */
export const listConnections = (db: Queryable, site: Site, request: PageRequest): Promise<Page<Connection>> =>
  readPage(site, 'connections', request, byId('c', 'desc'), ({ after, order }, count) =>
    db.any(sql.type(connectionRow)`
      select ${connectionColumns} from cms_connections c
      where c.site_id = ${site.id} and c.deleted_at is null and ${after} order by ${order} limit ${count}`),
  );
