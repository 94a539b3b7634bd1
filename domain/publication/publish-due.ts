import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { Purging } from '../purge/purge.ts';
import { inTraceOf } from '../../observability/tracing/trace.ts';
import { articleColumns, articleRow } from '../articles/row.ts';
import type { Article } from '../articles/row.ts';
import { follow } from './follow.ts';
import { asPublished } from './publish.ts';

/** Limits of one transaction: articles, and bytes of their content, because each is also stored in an event. */
const BATCH = 100;
const BATCH_BYTES = 8 * 2 ** 20;
/** Sites per look-up, and the number of due articles that it considers at first. */
const SITES = 1_000;
const DUE_ARTICLES = 10_000;

type Ports = Omit<Purging, 'site'>;

/** An article that a transaction has published. */
export interface PublishedDue {
  readonly id: string;
  readonly scheduledFor: Date;
}

const siteRow = z.object({ site_id: z.string(), articles: z.number() });
const idRow = z.object({ id: z.string() });
const lockedRow = z.object({ id: z.string(), site_id: z.string(), bytes: z.number() });
type LockedRow = z.infer<typeof lockedRow>;
const dueRow = articleRow.extend({
  site_id: z.string(),
  scheduled_publish_at: z.date(),
  schedule_traceparent: z.string().nullable(),
});

/**
 * The Sites that have due articles, longest overdue first.
 *
 * @param aside articles that do not count
 */
export async function findSitesWithDue(
  db: Queryable,
  now: Date,
  aside: readonly string[],
): Promise<readonly string[]> {
  const isDue = sql.fragment`a.status = 'scheduled' and a.scheduled_publish_at <= ${at(now)} and a.id <> all(${array(aside, 'uuid')})`;
  const rows = await db.any(sql.type(siteRow)`
    select site_id, count(*)::int as articles from (
      select a.site_id, a.scheduled_publish_at from articles a where ${isDue}
      order by a.scheduled_publish_at limit ${DUE_ARTICLES}
    ) due
    group by site_id order by min(scheduled_publish_at), site_id limit ${SITES}`);
  const seen = rows.reduce((sum, { articles }) => sum + articles, 0);
  if (seen < DUE_ARTICLES) return rows.map(({ site_id: siteId }) => siteId);
  // The many of some Sites may hide those of others: the index is skipped through from one Site to the next.
  const every = await db.any(sql.type(siteRow)`
    with recursive scheduled (site_id) as (
      (select a.site_id from articles a where a.status = 'scheduled' order by a.site_id limit 1)
      union all
      select (
        select a.site_id from articles a where a.status = 'scheduled' and a.site_id > s.site_id
        order by a.site_id limit 1
      ) from scheduled s where s.site_id is not null
    )
    select s.site_id, 1 as articles from scheduled s cross join lateral (
      select a.scheduled_publish_at as due from articles a where a.site_id = s.site_id and ${isDue}
      order by a.scheduled_publish_at limit 1
    ) first
    order by first.due, s.site_id limit ${SITES}`);
  return every.map(({ site_id: siteId }) => siteId);
}

/** The articles of a Site that are due, those excepted that were set aside. */
export async function findDueOfSite(
  db: Queryable,
  siteId: string,
  now: Date,
  aside: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.any(sql.type(idRow)`
    select id from articles
    where site_id = ${siteId} and status = 'scheduled' and scheduled_publish_at <= ${at(now)}
      and id <> all(${array(aside, 'uuid')})
    order by scheduled_publish_at, id limit ${BATCH}`);
  return rows.map(({ id }) => id);
}

/**
 * Publishes due articles of several Sites as one set, the same number of each. Skips locked rows and leaves them to the
 * next call.
 *
 * @param aside articles that are left alone
 * @returns the published articles, and the Sites that may have more due articles
 */
export async function publishDueOfSites(
  tx: Transaction,
  ports: Ports,
  siteIds: readonly string[],
  now: Date,
  aside: readonly string[],
): Promise<{ readonly published: readonly PublishedDue[]; readonly left: readonly string[] }> {
  const share = Math.ceil(BATCH / siteIds.length);
  const locked = await tx.any(sql.type(lockedRow)`
    select d.id, s.id as site_id, d.bytes from unnest(${array(siteIds, 'uuid')}) as s (id) cross join lateral (
      select a.id, octet_length(a.content) as bytes from articles a
      where a.site_id = s.id and a.status = 'scheduled' and a.scheduled_publish_at <= ${at(now)}
        and a.id <> all(${array(aside, 'uuid')})
      order by a.scheduled_publish_at, a.id limit ${share} for no key update skip locked
    ) d`);
  const taken = withinBytes(locked);
  if (taken.length === 0) return { published: [], left: [] };
  const ids = taken.map(({ id }) => id);
  const published = await publishLocked(tx, ports, ids, now);
  const left = new Set(locked.slice(taken.length).map(({ site_id: siteId }) => siteId));
  for (const [siteId, { length }] of Map.groupBy(locked, (row) => row.site_id))
    if (length === share) left.add(siteId);
  return { published, left: [...left] };
}

/**
 * Publishes one article whose scheduled time has come. Only the database decides, so a stale, early, late or repeated
 * timer does no harm. Waits for a transaction that has locked the article.
 *
 * @returns null if this call published nothing
 */
export async function publishDueArticle(
  tx: Transaction,
  ports: Ports,
  articleId: string,
  now: Date,
): Promise<PublishedDue | null> {
  const locked = await tx.exec(statement`
    select from articles
    where id = ${articleId} and status = 'scheduled' and scheduled_publish_at <= ${at(now)} for no key update`);
  if (locked === 0) return null;
  const [published = null] = await publishLocked(tx, ports, [articleId], now);
  return published;
}

/** The first articles whose total content is within the limit, at least one. */
function withinBytes(rows: readonly LockedRow[]): readonly LockedRow[] {
  let sum = 0;
  const over = rows.findIndex(({ bytes }, index) => (sum += bytes) > BATCH_BYTES && index > 0);
  return over === -1 ? rows : rows.slice(0, over);
}

/** @param ids of due articles that this transaction has locked */
async function publishLocked(
  tx: Transaction,
  ports: Ports,
  ids: readonly string[],
  now: Date,
): Promise<PublishedDue[]> {
  // Needs its own statement: a statement that waits for the lock would return the tags from before the wait.
  const rows = await tx.any(sql.type(dueRow)`
    select ${articleColumns}, a.site_id, a.schedule_traceparent from articles a
    where a.id = any(${array(ids, 'uuid')}) order by a.scheduled_publish_at, a.id`);
  if (rows.length === 0) return [];
  const articles: Article[] = [];
  for (const { site_id: id, schedule_traceparent: left, ...before } of rows) {
    const article = asPublished(before, {}, now);
    // The rows are written for all of them together; what follows from each is part of the trace in which it was scheduled.
    const span = { name: 'publish article', attributes: { article_id: article.id, site_id: id } };
    await inTraceOf(left, span, () =>
      tx.apart(async (own) => follow(own, { ...ports, site: { id } }, before, article, now)),
    );
    articles.push(article);
  }
  tx.atCommit(writing(articles));
  return rows.map(({ id, scheduled_publish_at: scheduledFor }) => ({ id, scheduledFor }));
}

const writing = (articles: readonly Article[]) => statement`
  update articles a set
    status = 'published', published_at = n.published_at, scheduled_publish_at = null,
    schedule_traceparent = null, version = a.version + 1, updated_at = n.updated_at
  from unnest(
    ${array(
      articles.map(({ id }) => id),
      'uuid',
    )},
    ${array(
      articles.map(({ published_at: time }) => time && at(time)),
      'timestamptz',
    )},
    ${array(
      articles.map(({ updated_at: time }) => at(time)),
      'timestamptz',
    )}
  ) as n (id, published_at, updated_at)
  where a.id = n.id`;
