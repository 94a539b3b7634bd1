import { isDeepStrictEqual } from 'node:util';
import type { PublicChange } from '../audit/change.ts';
import { validationFailed } from '../kernel/errors.ts';
import type { FieldMessages } from '../../packages/base/mistakes.ts';
import { requireEventQuota } from '../events/ceiling.ts';
import type { Purging } from '../purge/purge.ts';
import { noteWords } from '../search/note-words.ts';
import { statusWithImage } from '../articles/image-status.ts';
import { changed } from '../articles/article.ts';
import { editedOrigin } from '../articles/origin.ts';
import { auditArticle } from './audit.ts';
import { follow } from './follow.ts';
import { storeMoves, unlessNoted } from '../notes/anchors.ts';
import type { Moves } from '../notes/anchors.ts';
import { missingForPublication } from '../../packages/base/content.ts';
import { recordRevision } from '../articles/record-revision.ts';
import { replaceTags } from '../articles/references.ts';
import { updateRow } from '../articles/row.ts';
import type { Article, ArticleChanges } from '../articles/row.ts';

/** Members whose edit sets a published article's `content_updated_at` (docs/spec/rulings.md, 4). */
const contentMembers = ['title', 'content', 'faqs', 'key_takeaways', 'howto_steps', 'comparison'] as const;

/** What an update has to know beyond its article. */
export interface Found {
  readonly missing: FieldMessages;
  readonly moves: Moves;
}

/**
 * Updates the given members that differ; a featured image also moves a status of the pipeline that waits for one. Without an effective change nothing is written, and the version stays.
 *
 * @param found messages for references in `sent` that do not exist, and where the notes of the article are then
 * @throws ServiceError VALIDATION_FAILED for references that do not exist, and if a public article would lose its
 *   title, slug or content; RATE_LIMIT_EXCEEDED for a published one while the Site's events have reached their ceiling
 */
export async function updateArticle(
  change: PublicChange,
  purging: Purging,
  current: Article,
  sent: ArticleChanges,
  { missing, moves }: Found,
): Promise<Article> {
  const { tx, now } = change;
  const changes = effectiveChanges(current, sent);
  const fields = { ...lostByPublic(current, changes), ...missing };
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  const { featured_image_url: image } = sent;
  const status = image === undefined ? current.status : statusWithImage(current.status, image);
  if (Object.keys(changes).length === 0 && status === current.status) return current;

  const published = current.status === 'published';
  if (published) requireEventQuota(change.site);
  const origin = editedOrigin(current, changes);
  const article = changed(current, { ...changes, status, origin }, now);
  if (published && contentMembers.some((member) => member in changes))
    article.content_updated_at = article.updated_at;
  updateRow(tx, current, article, unlessNoted(moves));
  replaceTags(tx, purging.site.id, article.id, article.tag_ids, current.tag_ids);
  follow(tx, purging, current, article, now);
  auditArticle(change, 'article.update', current, article);
  storeMoves(tx, article, moves);
  await recordRevision(change, purging.site.id, current, article);
  await noteWords(change, purging.site.id, current, article);
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

/** Messages for members that a published or scheduled article would lose by the changes, and has to keep. */
export function lostByPublic(current: Article, changes: ArticleChanges): Record<string, string> {
  if (current.status !== 'published' && current.status !== 'scheduled') return {};
  const missing = missingForPublication({ ...current, ...changes });
  return Object.fromEntries(
    Object.keys(missing).map((name) => [name, `a ${current.status} article must keep its ${name}`]),
  );
}
