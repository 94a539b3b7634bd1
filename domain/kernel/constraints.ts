import { constraintOf } from '../../db/failures.ts';
import { conflict, ServiceError, validationFailed } from './errors.ts';

export const slugTaken = (): ServiceError =>
  new ServiceError('SLUG_CONFLICT', 'slug: is taken in this Site. Choose another one.');

/** The client error for each constraint. Races end here: the constraint decides, not an earlier look-up. */
const meaning: Readonly<Record<string, () => ServiceError>> = {
  articles_site_slug_key: slugTaken,
  categories_site_slug_key: slugTaken,
  tags_site_slug_key: slugTaken,
  authors_site_slug_key: slugTaken,
  content_types_site_key_key: () =>
    conflict('key: is used by another format of this Site. Change that one, or choose another key.'),
  seo_scans_resumed_from_key: () =>
    conflict('resume_scan_id: another scan has just taken the rest of this one.'),
  reviews_open_key: () =>
    conflict(
      'This article has an open review. Decide it, or withdraw it with DELETE /articles/{id}/review, before you ask for another one.',
    ),
  articles_category_fkey: () => validationFailed({ category_id: 'is not the id of a category of this Site' }),
  articles_author_fkey: () => validationFailed({ author_id: 'is not the id of an author of this Site' }),
  articles_format_fkey: () =>
    validationFailed({ format_id: 'is not the id of an article format of this Site' }),
  plan_items_category_fkey: () =>
    validationFailed({ category_id: 'is not the id of a category of this Site' }),
  plan_items_author_fkey: () => validationFailed({ author_id: 'is not the id of an author of this Site' }),
  plan_items_format_fkey: () =>
    validationFailed({ format_id: 'is not the id of an article format of this Site' }),
  article_tags_tag_fkey: () =>
    validationFailed({ tag_ids: 'contains the id of a tag that has just been deleted' }),
};

/** The client error for a violated constraint; null for any other error. */
export function answerToConstraint(error: unknown): ServiceError | null {
  const name = constraintOf(error);
  return name === undefined ? null : (meaning[name]?.() ?? null);
}
