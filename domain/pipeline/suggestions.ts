import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql } from '../../db/sql.ts';
import type { Article, ArticleChanges } from '../articles/row.ts';
import type { Proposal } from './writer.ts';

/** What a stage proposes, with ids of the Site. */
export const suggestions = z.object({
  titles: z.array(z.string()),
  tag_ids: z.array(z.string()),
  category_id: z.string().nullable(),
  excerpt: z.string().nullable(),
  seo_title: z.string().nullable(),
  seo_description: z.string().nullable(),
});

export type Suggestions = z.infer<typeof suggestions>;

/** The most tags that are taken from a proposal. */
const TAGS = 10;

const knownRow = z.object({ id: z.string() });

/**
 * Replaces the names of a proposal by ids, without those that no tag or category of the Site has; whatever a model takes
 * for an id is a name, too. What was found is locked against deletion until the transaction ends.
 */
export async function identify(
  tx: Transaction,
  siteId: string,
  { tags, category, ...rest }: Proposal,
): Promise<Suggestions> {
  const tagIds = await findNamed(tx, siteId, 'tags', tags);
  const [categoryId = null] = await findNamed(tx, siteId, 'categories', category === null ? [] : [category]);
  return { ...rest, tag_ids: tagIds.slice(0, TAGS), category_id: categoryId };
}

/** The ids of the terms with these names in any case, in the order of the names. Of several, the exact one counts. */
async function findNamed(
  tx: Transaction,
  siteId: string,
  table: 'tags' | 'categories',
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const rows = await tx.any(sql.type(knownRow)`
    with named as (
      select t.id, t.name, n.name as sought, n.place
      from unnest(${array(
        names.map((name) => name.trim()),
        'text',
      )}) with ordinality as n (name, place)
      join ${sql.identifier([table])} t on t.site_id = ${siteId}
        and lower(t.name collate "pg_c_utf8") = lower(n.name collate "pg_c_utf8")
      order by t.id for key share of t
    )
    select first.id from (
      select distinct on (place) place, id from named order by place, name <> sought, id
    ) first order by first.place`);
  return [...new Set(rows.map(({ id }) => id))];
}

/** The terms of a proposal that an article gets, because it has none. */
export const termsFor = (article: Article, suggested: Suggestions | null): ArticleChanges => ({
  ...(suggested !== null &&
    article.tag_ids.length === 0 &&
    suggested.tag_ids.length > 0 && { tag_ids: [...suggested.tag_ids].sort() }),
  ...(suggested !== null &&
    article.category_id === null &&
    suggested.category_id !== null && { category_id: suggested.category_id }),
});
