import { z } from 'zod';
import type { Effects } from '../../db/effects.ts';
import { array, sql } from '../../db/sql.ts';
import type { Queryable } from '../../db/statements.ts';
import { validationFailed } from '../kernel/errors.ts';
import type { FieldMessages } from '../../packages/base/mistakes.ts';

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
 * Checks all references together. In a transaction, existing targets are locked against deletion until it ends.
 *
 * @returns a message for each field whose target does not exist in the Site; objects of other Sites do not exist
 */
export async function findMissingReferences(
  rows: Queryable,
  siteId: string,
  ids: References,
): Promise<FieldMessages> {
  const { category_id: category, author_id: author, format_id: format, tag_ids: tags = [] } = ids;
  if (!category && !author && !format && tags.length === 0) return {};
  const found = await rows.one(sql.type(known)`
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
  if (category && !found.category) missing['category_id'] = 'is not the id of a category of this Site';
  if (author && !found.author) missing['author_id'] = 'is not the id of an author of this Site';
  if (format && !found.format) missing['format_id'] = 'is not the id of an article format of this Site';
  tags.forEach((tag, index) => {
    if (!found.tags.includes(tag)) missing[`tag_ids.${index}`] = 'is not the id of a tag of this Site';
  });
  return missing;
}

/** @throws ServiceError VALIDATION_FAILED naming every field whose target does not exist */
export async function requireReferences(rows: Queryable, siteId: string, ids: References): Promise<void> {
  const missing = await findMissingReferences(rows, siteId, ids);
  if (Object.keys(missing).length > 0) throw validationFailed(missing);
}

/** Replaces the tags of an article. */
export function replaceTags(
  tx: Effects,
  siteId: string,
  articleId: string,
  tagIds: readonly string[],
  had: readonly string[],
): void {
  const gone = had.filter((id) => !tagIds.includes(id));
  const added = tagIds.filter((id) => !had.includes(id));
  if (gone.length > 0) {
    tx.add(
      (when) => sql.fragment`
      delete from article_tags where article_id = ${articleId} and tag_id = any(${array(gone, 'uuid')}) and ${when}`,
    );
  }
  if (added.length > 0) {
    addTags(tx, siteId, articleId, added);
  }
}

/** Adds tags that the article does not have. */
export const addTags = (tx: Effects, siteId: string, articleId: string, tagIds: readonly string[]): void =>
  tx.add(
    (when) => sql.fragment`
      insert into article_tags (article_id, tag_id, site_id)
      select ${articleId}::uuid, id, ${siteId}::uuid from unnest(${array(tagIds, 'uuid')}) as id where ${when}`,
  );
