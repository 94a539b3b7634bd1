import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql, statement } from '../../db/sql.ts';
import type { Query } from '../../db/statements.ts';
import { validationFailed } from '../errors.ts';
import type { FieldMessages } from '../errors.ts';

/** The ids by which an article refers to other objects of its Site. */
export interface References {
  readonly category_id?: string | null | undefined;
  readonly author_id?: string | null | undefined;
  readonly format_id?: string | null | undefined;
  readonly tag_ids?: readonly string[] | undefined;
}

const known = z.object({
  category: z.boolean(),
  author: z.boolean(),
  format: z.boolean(),
  tags: z.array(z.string()),
});

/**
 * Finds what is wrong with the references, all at once. What is found is locked against deletion until the
 * transaction ends.
 *
 * @returns a message for each field that names nothing in the Site; a foreign object is no object
 */
export async function findMissingReferences(
  tx: Transaction,
  siteId: string,
  ids: References,
): Promise<FieldMessages> {
  const { category_id: category, author_id: author, format_id: format, tag_ids: tags = [] } = ids;
  if (!category && !author && !format && tags.length === 0) return {};
  const found = await tx.one(sql.type(known)`
    with tag as (
      select id from tags where site_id = ${siteId} and id = any(${array(tags, 'uuid')}) order by id for key share
    ), category as (
      select id from categories where site_id = ${siteId} and id = ${category ?? null} for key share
    ), author as (
      select id from authors where site_id = ${siteId} and id = ${author ?? null} for key share
    )
    select
      exists (select from category) as category,
      exists (select from author) as author,
      exists (select from content_types where id = ${format ?? null} and (site_id is null or site_id = ${siteId})) as format,
      array(select id from tag) as tags
  `);
  const missing: Record<string, string> = {};
  if (category && !found.category) missing['category_id'] = 'names no category of this Site';
  if (author && !found.author) missing['author_id'] = 'names no author of this Site';
  if (format && !found.format) missing['format_id'] = 'names no article format of this Site';
  tags.forEach((tag, index) => {
    if (!found.tags.includes(tag)) missing[`tag_ids.${index}`] = 'names no tag of this Site';
  });
  return missing;
}

/** @throws ServiceError VALIDATION_FAILED naming every field that refers to nothing */
export async function requireReferences(tx: Transaction, siteId: string, ids: References): Promise<void> {
  const missing = await findMissingReferences(tx, siteId, ids);
  if (Object.keys(missing).length > 0) throw validationFailed(missing);
}

/** Makes an article's tags exactly these, with COMMIT. */
export function replaceTags(
  tx: Transaction,
  siteId: string,
  articleId: string,
  tagIds: readonly string[],
  had: readonly string[],
): void {
  const gone = had.filter((id) => !tagIds.includes(id));
  const added = tagIds.filter((id) => !had.includes(id));
  if (gone.length > 0) {
    tx.atCommit(statement`
      delete from article_tags where article_id = ${articleId} and tag_id = any(${array(gone, 'uuid')})`);
  }
  if (added.length > 0) {
    tx.atCommit(addTags(siteId, articleId, added));
  }
}

/** Gives an article tags that it does not have. */
export const addTags = (siteId: string, articleId: string, tagIds: readonly string[]): Query => statement`
  insert into article_tags (article_id, tag_id, site_id)
  select ${articleId}, id, ${siteId} from unnest(${array(tagIds, 'uuid')}) as id`;
