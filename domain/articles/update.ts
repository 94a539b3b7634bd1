import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../db/transaction.ts';
import { at, json, statement } from '../../db/sql.ts';
import type { Query } from '../../db/statements.ts';
import { validationFailed } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { purgeArticle } from '../purge.ts';
import type { Purging } from '../purge.ts';
import { moveCounts } from '../taxonomy/article-counts.ts';
import { changed } from './article.ts';
import type { Article, ArticleChanges } from './article.ts';
import { missingForPublication } from './publication-rules.ts';
import { presentArticle } from './present.ts';
import { findMissingReferences, replaceTags } from './references.ts';

/** Members whose edit makes a published article's content new (decisions 4). */
const contentMembers = ['title', 'content', 'faqs', 'key_takeaways', 'howto_steps', 'comparison'] as const;

/**
 * Changes what is sent and differs. Without an effective change nothing is written, so the version stays.
 *
 * @param current the article, locked by this transaction
 * @throws ServiceError VALIDATION_FAILED for references to nothing, and where a public article would lose
 *   its title, slug or content
 */
export async function updateArticle(
  tx: Transaction,
  purging: Purging,
  current: Article,
  sent: ArticleChanges,
  now: Date,
): Promise<Article> {
  const changes = effectiveChanges(current, sent);
  // Messages name members by where they were sent, whatever their order among the changes.
  const asSent = changes.tag_ids === undefined ? changes : { ...changes, tag_ids: sent.tag_ids };
  const missing = await findMissingReferences(tx, purging.site.id, asSent);
  const fields = { ...lostByPublic(current, changes), ...missing };
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  if (Object.keys(changes).length === 0) return current;

  const article = changed(current, changes, now);
  const published = current.status === 'published';
  if (published && contentMembers.some((member) => member in changes))
    article.content_updated_at = article.updated_at;
  // Another article that is being written may have them.
  const waits = 'slug' in changes || 'external_id' in changes;
  tx.atCommit(writing(article, 'content' in changes), { waits });
  replaceTags(tx, purging.site.id, article.id, article.tag_ids, current.tag_ids);
  moveCounts(tx, current, article);
  if (published) {
    recordEvent(tx, purging.site.id, 'article.updated', presentArticle(article), article.updated_at);
    purgeArticle(tx, purging, [current.slug, article.slug], article.updated_at);
  }
  return article;
}

function effectiveChanges(current: Article, sent: ArticleChanges): ArticleChanges {
  const normal = sent.tag_ids ? { ...sent, tag_ids: [...new Set(sent.tag_ids)].sort() } : sent;
  return Object.fromEntries(
    Object.entries(normal).filter(
      ([name, value]) =>
        value !== undefined && !isDeepStrictEqual(value, current[name as keyof ArticleChanges]),
    ),
  );
}

function lostByPublic(current: Article, changes: ArticleChanges): Record<string, string> {
  if (current.status !== 'published' && current.status !== 'scheduled') return {};
  const missing = missingForPublication({ ...current, ...changes });
  return Object.fromEntries(
    Object.keys(missing).map((name) => [name, `a ${current.status} article must keep its ${name}`]),
  );
}

/** @param withContent the body is sent (and stored anew) only where it changed: it may be large */
const writing = (next: Article, withContent: boolean): Query => statement`
  update articles set
    title = ${next.title}, slug = ${next.slug},
    content = case when ${withContent}::boolean then ${withContent ? next.content : null} else content end,
    excerpt = ${next.excerpt},
    featured_image_url = ${next.featured_image_url}, seo_title = ${next.seo_title},
    seo_description = ${next.seo_description}, seo_keywords = ${json(next.seo_keywords)}, faqs = ${json(next.faqs)},
    key_takeaways = ${json(next.key_takeaways)}, howto_steps = ${json(next.howto_steps)},
    comparison = ${json(next.comparison)}, category_id = ${next.category_id}, author_id = ${next.author_id},
    format_id = ${next.format_id}, external_id = ${next.external_id},
    content_updated_at = ${next.content_updated_at && at(next.content_updated_at)},
    version = ${next.version}, updated_at = ${at(next.updated_at)}
  where id = ${next.id}`;
