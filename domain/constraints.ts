import { constraintOf } from '../db/failures.ts';
import { conflict, ServiceError, validationFailed } from './errors.ts';

const slugTaken = (): ServiceError =>
  new ServiceError('SLUG_CONFLICT', 'slug: is taken in this Site. Choose another one.');

/** What a violated constraint means to a client. Races end here: the constraint decides, not a look-up before. */
const meaning: Readonly<Record<string, () => ServiceError>> = {
  articles_site_slug_key: slugTaken,
  categories_site_slug_key: slugTaken,
  tags_site_slug_key: slugTaken,
  authors_site_slug_key: slugTaken,
  content_types_site_key_key: () =>
    conflict('key: is used by another format of this Site. Change that one, or choose another key.'),
  articles_category_fkey: () => validationFailed({ category_id: 'names no category of this Site' }),
  articles_author_fkey: () => validationFailed({ author_id: 'names no author of this Site' }),
  articles_format_fkey: () => validationFailed({ format_id: 'names no article format of this Site' }),
  article_tags_tag_fkey: () => validationFailed({ tag_ids: 'names a tag that has just been deleted' }),
};

/** The answer to a violated constraint, or null for an error that is none, or that no client can mend. */
export function answerToConstraint(error: unknown): ServiceError | null {
  const name = constraintOf(error);
  return name === undefined ? null : (meaning[name]?.() ?? null);
}
