import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { notFound } from '../errors.ts';
import { newestFirst, readPage } from '../page.ts';
import type { Page, PageRequest } from '../page.ts';

/** All but `waiting` are final (docs/spec/rulings.md, 20, Push). */
export const itemStatuses = ['waiting', 'succeeded', 'failed', 'diverged'] as const;

export type ItemStatus = (typeof itemStatuses)[number];

const itemRow = z.object({
  article_id: z.string(),
  status: z.enum(itemStatuses),
  remote_url: z.string().nullable(),
  error: z.string().nullable(),
  attempts: z.number(),
});

const pushRow = z.object({
  id: z.string(),
  connection_id: z.string(),
  items: z.array(itemRow),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});

/** An order to bring articles to the remote of a connection. */
export type Push = z.infer<typeof pushRow>;

const columns = sql.fragment`
  p.id, p.connection_id, p.created_at, p.finished_at,
  (
    select jsonb_agg(jsonb_build_object('article_id', i.article_id, 'status', i.status, 'remote_url', i.remote_url,
      'error', i.error, 'attempts', i.attempts) order by i.position)
    from cms_push_items i where i.push_id = p.id
  ) as items`;

/** Pushes of connections that exist. */
const from = sql.fragment`
  cms_pushes p join cms_connections c on c.id = p.connection_id and c.deleted_at is null`;

/** @throws ServiceError NOT_FOUND */
export async function getPush(db: Queryable, siteId: string, id: string): Promise<Push> {
  const push = await db.maybeOne(sql.type(pushRow)`
    select ${columns} from ${from} where p.id = ${id} and p.site_id = ${siteId}`);
  if (push === null) throw notFound('push');
  return push;
}

/** A page of a Site's pushes, newest first. */
export const listPushes = (db: Queryable, site: Site, request: PageRequest): Promise<Page<Push>> =>
  readPage(site, 'pushes', request, newestFirst('p', 'created_at'), ({ after, order }, count) =>
    db.any(sql.type(pushRow)`
      select ${columns} from ${from} where p.site_id = ${site.id} and ${after} order by ${order} limit ${count}`),
  );
