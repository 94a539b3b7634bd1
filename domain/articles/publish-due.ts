import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { pushAutomatically } from '../cms/automatic.ts';
import { planItemsDone } from '../content-plan/article-events.ts';
import { recordEvents } from '../events/events.ts';
import { purgeArticles } from '../purge.ts';
import type { Purging } from '../purge.ts';
import { moveCountsOf } from '../taxonomy/article-counts.ts';
import { articleColumns, articleRow } from './row.ts';
import type { Article } from './row.ts';
import { presentArticle } from './present.ts';
import { asPublished } from './publish.ts';

/** Limits of one transaction: articles, and bytes of their content, because each is also stored in an event. */
const BATCH = 100;
const BATCH_BYTES = 8 * 2 ** 20;
/** Sites per look-up, and the number of due articles it considers. */
const SITES = 1_000;
const DUE_ARTICLES = 10_000;

type Ports = Omit<Purging, 'site'>;

/** An article that a transaction has published. */
export interface PublishedDue {
  readonly id: string;
  readonly scheduledFor: Date;
}

const siteRow = z.object({ site_id: z.string() });
const lockedRow = z.object({ id: z.string(), bytes: z.number() });
const dueRow = articleRow.extend({ site_id: z.string(), scheduled_publish_at: z.date() });

/** The Sites that have due articles, longest overdue first. */
export async function findSitesWithDue(db: Queryable, now: Date): Promise<readonly string[]> {
  const rows = await db.any(sql.type(siteRow)`
    select site_id from (
      select site_id, scheduled_publish_at from articles
      where status = 'scheduled' and scheduled_publish_at <= ${at(now)}
      order by scheduled_publish_at limit ${DUE_ARTICLES}
    ) due
    group by site_id order by min(scheduled_publish_at), site_id limit ${SITES}`);
  return rows.map(({ site_id: siteId }) => siteId);
}

/**
 * Publishes due articles of one Site as one set. Skips locked rows and leaves them to the next call.
 *
 * @returns what it published, and whether more may be due
 */
export async function publishDueOfSite(
  tx: Transaction,
  ports: Ports,
  siteId: string,
  now: Date,
): Promise<{ readonly published: readonly PublishedDue[]; readonly more: boolean }> {
  const locked = await tx.any(sql.type(lockedRow)`
    select id, octet_length(content) as bytes from articles
    where site_id = ${siteId} and status = 'scheduled' and scheduled_publish_at <= ${at(now)}
    order by scheduled_publish_at, id limit ${BATCH} for no key update skip locked`);
  const ids = withinBytes(locked);
  const published = ids.length === 0 ? [] : await publishLocked(tx, ports, ids, now);
  return { published, more: ids.length < locked.length || locked.length === BATCH };
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
function withinBytes(rows: readonly z.infer<typeof lockedRow>[]): string[] {
  let sum = 0;
  const within = rows.filter(({ bytes }, index) => (sum += bytes) <= BATCH_BYTES || index === 0);
  return within.map(({ id }) => id);
}

/** @param ids of due articles of one Site, locked by this transaction */
async function publishLocked(
  tx: Transaction,
  ports: Ports,
  ids: readonly string[],
  now: Date,
): Promise<PublishedDue[]> {
  // Needs its own statement: a statement that waits for the lock would return the tags from before the wait.
  const rows = await tx.any(sql.type(dueRow)`
    select ${articleColumns}, a.site_id from articles a
    where a.id = any(${array(ids, 'uuid')}) order by a.scheduled_publish_at, a.id`);
  const [first] = rows;
  if (first === undefined) return [];
  const site = { id: first.site_id };
  const changes = rows.map(({ site_id: _site, ...before }) => ({
    before,
    after: asPublished(before, {}, now),
  }));
  const articles = changes.map(({ after }) => after);
  tx.atCommit(writing(articles));
  planItemsDone(tx, ids, now);
  moveCountsOf(tx, site.id, changes);
  recordEvents(
    tx,
    site.id,
    'article.published',
    articles.map((article) => ({ data: presentArticle(article), at: article.updated_at })),
  );
  pushAutomatically(tx, site.id, ids, now);
  purgeArticles(tx, { ...ports, site }, articles, now);
  return rows.map(({ id, scheduled_publish_at: scheduledFor }) => ({ id, scheduledFor }));
}

const writing = (articles: readonly Article[]) => statement`
  update articles a set
    status = 'published', published_at = n.published_at, scheduled_publish_at = null,
    version = a.version + 1, updated_at = n.updated_at
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
