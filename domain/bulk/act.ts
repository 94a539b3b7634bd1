import type { Transaction } from '../../db/transaction.ts';
import type { Site } from '../kernel/site.ts';
import type { Change } from '../audit/change.ts';
import { deleteArticle, publishArticle, unpublishArticle } from '../publication/publish.ts';
import { missingApprovals } from '../publication/required-reviews.ts';
import { findMissingReferences } from '../articles/references.ts';
import type { Article, ArticleChanges } from '../articles/row.ts';
import { requireEditor, requirePublisher, requireRemover } from '../publication/publisher.ts';
import type { Publisher } from '../publication/publisher.ts';
import { scheduleArticle } from '../publication/schedule.ts';
import { updateArticle } from '../publication/update.ts';
import { validationFailed } from '../kernel/errors.ts';
import type { FieldMessages } from '../../packages/base/mistakes.ts';
import type { Purging } from '../purge/purge.ts';
import type { BulkAction, BulkParameters } from './job.ts';

/** The most tags that an update of an article takes (docs/spec/rulings.md, 4). */
const MOST_TAGS = 100;

/** The action of a job on each of its articles. */
export interface Deed extends Publisher {
  readonly action: BulkAction;
  readonly parameters: BulkParameters;
}

export type ItemChange = Change & {
  readonly site: Pick<
    Site,
    'id' | 'organisationId' | 'eventsFull' | 'subscribedEvents' | 'timezone' | 'requiredReviews'
  >;
};

/** Messages for objects that the job refers to and that do not exist. In a transaction, the rest is locked against deletion. */
export function findMissing(
  tx: Transaction,
  siteId: string,
  { action, parameters }: Pick<Deed, 'action' | 'parameters'>,
): Promise<FieldMessages> {
  // Nothing has to exist to be taken off.
  return action === 'remove_tags' ? Promise.resolve({}) : findMissingReferences(tx, siteId, parameters);
}

/**
 * Does the single call's work for an article.
 *
 * @param missing by `findMissing`
 * @throws ServiceError the refusals of the single call
 */
export async function act(
  change: ItemChange,
  purging: Purging,
  article: Article,
  deed: Deed,
  missing: FieldMessages,
): Promise<void> {
  const { tx, site } = change;
  switch (deed.action) {
    case 'publish':
      requirePublisher(deed);
      publishArticle(change, purging, article, {}, await missingApprovals(tx, site, article.id, 'article'));
      return;
    case 'unpublish':
      requirePublisher(deed);
      unpublishArticle(change, purging, article);
      return;
    case 'delete':
      requireRemover(deed, article);
      return deleteArticle(change, purging, article);
    case 'schedule':
      requirePublisher(deed);
      scheduleArticle(
        change,
        site.timezone,
        article,
        deed.parameters.scheduled_publish_at as string,
        await missingApprovals(tx, site, article.id, 'article'),
      );
      return;
    default: {
      requireEditor(deed, article, site);
      const changes = changesOf(article, deed);
      if ((changes.tag_ids?.length ?? 0) > MOST_TAGS)
        throw validationFailed({ tag_ids: `must have at most ${MOST_TAGS} members` });
      // No job changes a content.
      await updateArticle(change, purging, article, changes, { missing, moves: new Map() });
    }
  }
}

/** The members of the update that an action is. */
function changesOf(article: Article, { action, parameters }: Deed): ArticleChanges {
  const { category_id: category = null, author_id: author = null, tag_ids: tags = [] } = parameters;
  switch (action) {
    case 'set_category':
      return { category_id: category };
    case 'set_author':
      return { author_id: author };
    case 'add_tags':
      return { tag_ids: [...new Set([...article.tag_ids, ...tags])] };
    default:
      return { tag_ids: article.tag_ids.filter((id) => !tags.includes(id)) };
  }
}
