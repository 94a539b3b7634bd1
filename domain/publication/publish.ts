import type { Effects } from '../../db/effects.ts';
import { statement } from '../../db/sql.ts';
import type { Change, PublicChange } from '../audit/change.ts';
import { deleteCommentsOf } from '../comments/remove.ts';
import { planItemLosesArticle } from '../content-plan/article-events.ts';
import { conflict, validationFailed } from '../kernel/errors.ts';
import type { ServiceError } from '../kernel/errors.ts';
import { requireEventQuota } from '../events/ceiling.ts';
import { cancelAnyEditTimer } from './edit-timer.ts';
import type { Purging } from '../purge/purge.ts';
import { changed, momentOfChange, moveStatus } from '../articles/article.ts';
import type { Article } from '../articles/row.ts';
import { auditArticle, auditDeletion } from './audit.ts';
import { follow } from './follow.ts';
import { missingForPublication } from '../../packages/base/content.ts';
import { canBecomePublic, whyNotPublic } from './publication-rules.ts';
import { updateRow } from '../articles/row.ts';
import { cancelTimer } from './schedule.ts';

/** Times that a client may give for a first publication, both in the past. */
export interface PublicationTimes {
  readonly published_at?: Date | undefined;
  readonly content_updated_at?: Date | undefined;
}

/**
 * Publishes an article now; does nothing if it is published (docs/spec/service-api.md, States and transitions).
 *
 * @param unapproved by `missingApprovals`
 * @throws ServiceError CONFLICT from a status that cannot become public; VALIDATION_FAILED for missing members;
 *   PREREQUISITE_MISSING without the approvals that the Site wants; RATE_LIMIT_EXCEEDED while the Site's events have reached their ceiling
 */
export function publishArticle(
  change: PublicChange,
  purging: Purging,
  current: Article,
  times: PublicationTimes,
  unapproved: ServiceError | null,
): Article {
  const { tx, site, now } = change;
  if (current.status === 'published') return current;
  if (!canBecomePublic(current.status)) {
    throw conflict(
      `An article that is ${current.status} cannot be published: ${whyNotPublic(current.status)}`,
    );
  }
  const first = current.published_at === null;
  const fields = { ...missingForPublication(current), ...(first ? unusableTimes(times, now) : {}) };
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  if (unapproved !== null) throw unapproved;
  requireEventQuota(site);
  if (current.status === 'scheduled') cancelTimer(tx, site.id, current.id, now);
  const article = asPublished(current, first ? times : {}, now);
  updateRow(tx, current, article);
  follow(tx, purging, current, article, now);
  auditArticle(change, 'article.publish', current, article);
  return article;
}

/**
 * Unpublishes an article, which discards its pending edit; does nothing if it is a draft.
 *
 * @throws ServiceError CONFLICT from any other status
 */
export function unpublishArticle(change: Change<Effects>, purging: Purging, current: Article): Article {
  const { tx, site, now } = change;
  if (current.status === 'draft') return current;
  if (current.status !== 'published') {
    throw conflict(`Only a published article can be unpublished; this one is ${current.status}.`);
  }
  // The database deletes the edit (`discard_pending_edit` of the migrations).
  cancelAnyEditTimer(tx, site.id, current.id, now);
  const article = moveStatus(tx, current, { status: 'draft' }, now);
  follow(tx, purging, current, article, now);
  auditArticle(change, 'article.unpublish', current, article);
  return article;
}

/**
 * Deletes an article for good, with its tag assignments, comments and pending edit
 * (docs/spec/service-api.md, States and transitions).
 */
export async function deleteArticle(change: Change, purging: Purging, current: Article): Promise<void> {
  const { tx, site, now } = change;
  const comments = await deleteCommentsOf(change, current.id);
  if (current.status === 'published') cancelAnyEditTimer(tx, site.id, current.id, now);
  planItemLosesArticle(tx, current.id, now);
  tx.atCommit(statement`delete from articles where id = ${current.id}`);
  follow(tx, purging, current, null, now);
  auditDeletion(change, current, comments);
  if (current.status === 'scheduled') cancelTimer(tx, site.id, current.id, now);
}

/** The article after publication. @param times given for a first publication */
export const asPublished = (current: Article, times: PublicationTimes, now: Date): Article =>
  changed(
    current,
    {
      status: 'published',
      published_at: current.published_at ?? times.published_at ?? momentOfChange(current, now),
      content_updated_at: times.content_updated_at ?? current.content_updated_at,
      scheduled_publish_at: null,
    },
    now,
  );

function unusableTimes(times: PublicationTimes, now: Date): Record<string, string> {
  const { published_at: published, content_updated_at: updated } = times;
  const fields: Record<string, string> = {};
  if (published && published > now)
    fields['published_at'] = 'must be in the past; to publish later, schedule the article';
  if (updated && updated > now) fields['content_updated_at'] = 'must be in the past';
  else if (updated && !published)
    fields['content_updated_at'] = 'must be sent with published_at on a first publish';
  else if (updated && published && updated < published)
    fields['content_updated_at'] = 'must not be earlier than published_at';
  return fields;
}
