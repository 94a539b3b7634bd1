import type { Effects } from '../../db/effects.ts';
import { pushAutomatically } from '../cms/automatic.ts';
import { planItemDone } from '../content-plan/article-events.ts';
import { recordEvent } from '../events/events.ts';
import { purgeArticles } from '../purge/purge.ts';
import type { Purging } from '../purge/purge.ts';
import { moveCounts } from '../taxonomy/article-counts.ts';
import { presentArticle } from '../articles/present.ts';
import type { Article } from '../articles/row.ts';

/**
 * Everything that follows when an article becomes public, changes while it is public, or stops being public; called by
 * all that do so, once its row is written. Triggers of the schema do the rest: usage, search, and the state of the
 * public pages. What follows is gathered, so a transaction that publishes many articles calls this for each, `apart`.
 *
 * @param after null if the article is deleted
 */
export function follow(
  tx: Effects,
  purging: Purging,
  before: Article,
  after: Article | null,
  now: Date,
): void {
  const siteId = purging.site.id;
  const was = before.status === 'published';
  const is = after?.status === 'published';
  moveCounts(tx, siteId, before, after);
  if (after === null) recordEvent(tx, siteId, 'article.deleted', { id: before.id }, now);
  if (!was && !is) return;

  // Never earlier than what followed from the change before, even if that was made by a clock that is ahead.
  const time = after?.updated_at ?? now;
  if (after !== null) {
    const event = !is ? 'article.unpublished' : was ? 'article.updated' : 'article.published';
    recordEvent(tx, siteId, event, presentArticle(after), time);
  }
  pushAutomatically(tx, siteId, before.id, time);
  purgeArticles(tx, purging, after === null ? [before] : [before, after], time);
  if (!was) planItemDone(tx, before.id, now);
}
