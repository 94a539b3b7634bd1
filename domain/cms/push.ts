import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { notFound } from '../kernel/errors.ts';
import { newestFirst, pageSql } from '../kernel/page.ts';
import type { PageRequest } from '../kernel/page.ts';
import { readWeighedPage, withinStep } from '../kernel/weighed-page.ts';
import type { WeighedPage } from '../kernel/weighed-page.ts';

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

const weighedRow = pushRow.extend({ found: z.number() });

/** An order to bring articles to the remote of a connection. */
export type Push = z.infer<typeof pushRow>;

const columns = sql.fragment`
  p.id, p.connection_id, p.created_at, p.finished_at,
  (
    select jsonb_agg(jsonb_build_object('article_id', i.article_id, 'status', i.status,
      'remote_url', i.remote_url,
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

const newest = newestFirst('p', 'created_at');
/** The same of a step, whose rows are `a`. */
const { order: newestOfStep } = pageSql(newestFirst('a', 'created_at'), null);

/** A page of a Site's pushes, newest first. @param write serializes a push as JSON */
export const listPushes = (
  db: Queryable,
  site: Site,
  request: PageRequest,
  write: (push: Push) => string,
): Promise<WeighedPage> =>
  readWeighedPage(
    { key: site.cursorKey, query: 'pushes' },
    request,
    (position, count) => {
      const { after, order } = pageSql(newest, position);
      const rows = sql.fragment`
        select ${columns} from ${from} where p.site_id = ${site.id} and ${after} order by ${order} limit ${count}`;
      // A push has up to a hundred items, each with a link and an error.
      const weight = sql.fragment`octet_length(a.items::text)`;
      return db.any(sql.type(weighedRow)`${withinStep(rows, newestOfStep, weight)}`);
    },
    newest.positionOf,
    write,
  );
