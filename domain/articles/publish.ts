import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import type { Change } from '../change.ts';
import { deleteCommentsOf } from '../comments/remove.ts';
import { conflict, validationFailed } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { purgeArticle } from '../purge.ts';
import type { Purging } from '../purge.ts';
import { moveCounts } from '../taxonomy/article-counts.ts';
import { articleColumns, articleRow, articleRowOf, momentOfChange, moveArticle } from './article.ts';
import type { Article } from './article.ts';
import { presentArticle } from './present.ts';
import { canBecomePublic, missingForPublication, whyNotPublic } from './publication-rules.ts';
import { cancelTimer } from './schedule.ts';

/** Times a client may give to a first publication, both in the past. */
export interface PublicationTimes {
  readonly published_at?: Date | undefined;
  readonly content_updated_at?: Date | undefined;
}

/**
 * Publishes an article now; on a published one a no-op (specification, States and transitions).
 *
 * @param current the article, locked by this transaction
 * @throws ServiceError CONFLICT from a status that cannot become public, VALIDATION_FAILED for what is missing
 */
export async function publishArticle(
  tx: Transaction,
  purging: Purging,
  current: Article,
  times: PublicationTimes,
  now: Date,
): Promise<Article> {
  if (current.status === 'published') return current;
  if (!canBecomePublic(current.status)) {
    throw conflict(
      `An article that is ${current.status} cannot be published: ${whyNotPublic(current.status)}`,
    );
  }
  const first = current.published_at === null;
  const fields = { ...missingForPublication(current), ...(first ? unusableTimes(times, now) : {}) };
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  if (current.status === 'scheduled') cancelTimer(tx, purging.site.id, current.id, now);
  return makePublic(tx, purging, current, first ? times : {}, now);
}

const dueRow = articleRow.extend({ site_id: z.string(), domain: z.string() });

/**
 * Publishes an article whose scheduled time has come. Decides by the database alone, so that a stale, early,
 * late or repeated timer does no harm.
 *
 * @returns the time it was scheduled for, or null where this call published nothing
 */
export async function publishDueArticle(
  tx: Transaction,
  ports: Omit<Purging, 'site'>,
  articleId: string,
  now: Date,
): Promise<Date | null> {
  const due = await tx.forChange(
    articleRowOf(articleId),
    sql.type(dueRow)`
      select ${articleColumns}, a.site_id, s.domain from articles a join sites s on s.id = a.site_id
      where a.id = ${articleId}::uuid and a.status = 'scheduled' and a.scheduled_publish_at <= ${at(now)}::timestamptz`,
  );
  if (due === null) return null;
  const { site_id: siteId, domain, ...current } = due;
  const site = { id: siteId, domain };
  await makePublic(tx, { ...ports, site }, current, {}, now);
  return current.scheduled_publish_at;
}

/**
 * Takes an article off the public blog. On a draft a no-op.
 *
 * @throws ServiceError CONFLICT from any other status
 */
export async function unpublishArticle(
  tx: Transaction,
  purging: Purging,
  current: Article,
  now: Date,
): Promise<Article> {
  if (current.status === 'draft') return current;
  if (current.status !== 'published') {
    throw conflict(`Only a published article can be unpublished; this one is ${current.status}.`);
  }
  const article = moveArticle(tx, current, { status: 'draft' }, now);
  announce(tx, purging, 'article.unpublished', current, article);
  return article;
}

/** Deletes an article for good, with its tag assignments and comments (specification, States and transitions). */
export async function deleteArticle(change: Change, purging: Purging, current: Article): Promise<void> {
  const { tx, site, now } = change;
  await deleteCommentsOf(change, current.id);
  await tx.exec(statement`delete from articles where id = ${current.id}`);
  moveCounts(tx, current, null);
  if (current.status === 'scheduled') cancelTimer(tx, site.id, current.id, now);
  recordEvent(tx, site.id, 'article.deleted', { id: current.id }, now);
  if (current.status === 'published') purgeArticle(tx, purging, [current.slug], now);
}

async function makePublic(
  tx: Transaction,
  purging: Purging,
  current: Article,
  times: PublicationTimes,
  now: Date,
): Promise<Article> {
  const standing = {
    status: 'published',
    published_at: current.published_at ?? times.published_at ?? momentOfChange(current, now),
    content_updated_at: times.content_updated_at ?? current.content_updated_at,
    scheduled_publish_at: null,
  } as const;
  const article = moveArticle(tx, current, standing, now);
  announce(tx, purging, 'article.published', current, article);
  return article;
}

/** What follows where an article has become public, or is so no longer. */
function announce(
  tx: Transaction,
  purging: Purging,
  event: 'article.published' | 'article.unpublished',
  current: Article,
  article: Article,
): void {
  moveCounts(tx, current, article);
  recordEvent(tx, purging.site.id, event, presentArticle(article), article.updated_at);
  purgeArticle(tx, purging, [article.slug], article.updated_at);
}

function unusableTimes(times: PublicationTimes, now: Date): Record<string, string> {
  const { published_at: published, content_updated_at: updated } = times;
  const fields: Record<string, string> = {};
  if (published && published > now)
    fields['published_at'] = 'must be in the past; to publish later, schedule the article';
  if (updated && updated > now) fields['content_updated_at'] = 'must be in the past';
  else if (updated && !published)
    fields['content_updated_at'] = 'needs published_at beside it on a first publish';
  else if (updated && published && updated < published)
    fields['content_updated_at'] = 'must not be earlier than published_at';
  return fields;
}
