import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { array, at, json, sql } from '../../db/sql.ts';
import { newId } from '../ids.ts';
import { deriveSlug, firstFreeSlug } from '../slugs.ts';
import { moveCounts } from '../taxonomy/article-counts.ts';
import { articleColumns, articleRow } from './article.ts';
import type { Article, ArticleChanges } from './article.ts';
import { requireReferences } from './references.ts';

const slugRow = z.object({ slug: z.string() });

/**
 * Creates a draft (specification, rule 3), or an article that the pipeline is to write. A slug that is left out is derived from the title and made free
 * by a number; one that is sent and taken fails on the constraint.
 *
 * @throws ServiceError VALIDATION_FAILED for references to nothing
 */
export async function createArticle(
  tx: Transaction,
  siteId: string,
  values: ArticleChanges,
  now: Date,
  status: 'draft' | 'discovered' = 'draft',
): Promise<Article> {
  const tagIds = [...new Set(values.tag_ids ?? [])].sort();
  // They travel together. A reference to nothing also fails the insertion, by its constraint: what is wrong is said by the first.
  const [referred, inserted] = await Promise.allSettled([
    requireReferences(tx, siteId, values),
    insert({ tx, siteId, values, tagIds, status, now }),
  ]);
  if (referred.status === 'rejected') throw referred.reason;
  if (inserted.status === 'rejected') throw inserted.reason;
  const article = { ...inserted.value, tag_ids: tagIds };
  moveCounts(tx, null, article);
  return article;
}

interface Insertion {
  readonly tx: Transaction;
  readonly siteId: string;
  readonly values: ArticleChanges;
  readonly tagIds: readonly string[];
  readonly status: 'draft' | 'discovered';
  readonly now: Date;
}

async function insert(insertion: Insertion): Promise<Article> {
  const { tx, siteId, values } = insertion;
  const base = values.slug === undefined ? deriveSlug(values.title ?? '') : null;
  if (base === null) return (await tryInsert(insertion, values.slug ?? null, false)) as Article;
  let slug = base;
  for (;;) {
    const article = await tryInsert(insertion, slug, true);
    if (article !== null) return article;
    // Taken, perhaps by a transaction that has only now committed: look again, and again if need be.
    slug = firstFreeSlug(base, await takenSlugs(tx, siteId, base));
  }
}

/** @param yielding gives null where the slug is taken, instead of failing */
async function tryInsert(
  { tx, siteId, values, tagIds, status, now }: Insertion,
  slug: string | null,
  yielding: boolean,
): Promise<Article | null> {
  const onConflict = yielding
    ? sql.fragment`on conflict on constraint articles_site_slug_key do nothing`
    : sql.fragment``;
  const tagged =
    tagIds.length === 0
      ? sql.fragment``
      : sql.fragment`, tagged as (
          insert into article_tags (article_id, tag_id, site_id)
          select a.id, tag, ${siteId} from a, unnest(${array(tagIds, 'uuid')}) tag
        )`;
  return tx.maybeOne(sql.type(articleRow)`
    with a as (insert into articles as a (
      id, site_id, status, title, slug, content, excerpt, featured_image_url, seo_title, seo_description, seo_keywords,
      faqs, key_takeaways, howto_steps, comparison, category_id, author_id, format_id, external_id, created_at, updated_at
    ) values (
      ${newId()}, ${siteId}, ${status}, ${values.title ?? null}, ${slug}, ${values.content ?? null},
      ${values.excerpt ?? null}, ${values.featured_image_url ?? null}, ${values.seo_title ?? null},
      ${values.seo_description ?? null}, ${json(values.seo_keywords)}, ${json(values.faqs)}, ${json(values.key_takeaways)},
      ${json(values.howto_steps)}, ${json(values.comparison)}, ${values.category_id ?? null}, ${values.author_id ?? null},
      ${values.format_id ?? null}, ${values.external_id ?? null}, ${at(now)}, ${at(now)}
    ) ${onConflict}
    returning ${articleColumns}) ${tagged}
    select * from a
  `);
}

async function takenSlugs(tx: Transaction, siteId: string, base: string): Promise<ReadonlySet<string>> {
  // '.' is the next character after '-' : the range holds `base` and everything that begins with `base-`.
  const rows = await tx.any(sql.type(slugRow)`
    select slug from articles
    where site_id = ${siteId} and slug >= ${base} and slug < ${`${base}.`}
  `);
  return new Set(rows.map(({ slug }) => slug));
}
