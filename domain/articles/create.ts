import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { ShortTransaction } from '../../db/short-transactions.ts';
import { at, json, sql, statement } from '../../db/sql.ts';
import type { Query } from '../../db/statements.ts';
import { newId } from '../ids.ts';
import { deriveSlug, firstFreeSlug } from '../slugs.ts';
import { moveCounts } from '../taxonomy/article-counts.ts';
import type { Article, ArticleChanges } from './article.ts';
import { addTags, requireReferences } from './references.ts';

const slugRow = z.object({ slug: z.string() });

/** An article of which nothing was said. */
const BLANK = {
  title: null,
  slug: null,
  content: null,
  excerpt: null,
  featured_image_url: null,
  seo_title: null,
  seo_description: null,
  seo_keywords: null,
  faqs: null,
  key_takeaways: null,
  howto_steps: null,
  comparison: null,
  category_id: null,
  author_id: null,
  format_id: null,
  external_id: null,
  published_at: null,
  content_updated_at: null,
  scheduled_publish_at: null,
  version: 1,
} as const satisfies Partial<Article>;

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
  const wanted = compose(values, status, now);
  // They travel together. A reference to nothing also fails the insertion, by its constraint: what is wrong is said by the first.
  const [referred, inserted] = await Promise.allSettled([
    requireReferences(tx, siteId, values),
    insert(tx, siteId, wanted, values.slug === undefined),
  ]);
  if (referred.status === 'rejected') throw referred.reason;
  if (inserted.status === 'rejected') throw inserted.reason;
  refer(tx, siteId, inserted.value);
  return inserted.value;
}

/** An article to be created, and the statements that do it, or fail on a constraint. */
interface DraftedArticle extends ShortTransaction {
  readonly article: Article;
}

/**
 * What `createArticle` comes to where the slug is free and the article refers to what there is.
 *
 * @returns null where no constraint tells whether it does
 */
export function draftArticle(siteId: string, values: ArticleChanges, now: Date): DraftedArticle | null {
  // A format may be another Site's.
  if (values.format_id) return null;
  const article = compose(values, 'draft', now);
  const statements: Query[] = [insertion(siteId, article)];
  refer({ atCommit: (query) => statements.push(query) }, siteId, article);
  // Beyond the article's own row, they touch those of terms.
  return { article, statements, waits: statements.length > 1 };
}

/** The article as it will be, unless the slug derived from its title is taken. */
const compose = (values: ArticleChanges, status: 'draft' | 'discovered', now: Date): Article => ({
  ...BLANK,
  ...values,
  id: newId(),
  status,
  slug: values.slug === undefined ? deriveSlug(values.title ?? '') : values.slug,
  tag_ids: [...new Set(values.tag_ids ?? [])].sort(),
  created_at: now,
  updated_at: now,
});

/** @param derived whether its slug may be given a number @returns the article as it was inserted */
async function insert(tx: Transaction, siteId: string, article: Article, derived: boolean): Promise<Article> {
  const { slug: base } = article;
  if (!derived || base === null) {
    await tx.exec(insertion(siteId, article));
    return article;
  }
  for (let slug = base; ; slug = firstFreeSlug(base, await takenSlugs(tx, siteId, base))) {
    const numbered = { ...article, slug };
    // Taken, perhaps by a transaction that has only now committed: look again, and again if need be.
    const count = await tx.exec(statement`
      ${insertion(siteId, numbered)} on conflict on constraint articles_site_slug_key do nothing`);
    if (count === 1) return numbered;
  }
}

const insertion = (siteId: string, article: Article): Query => statement`
  insert into articles (
    id, site_id, status, title, slug, content, excerpt, featured_image_url, seo_title, seo_description, seo_keywords,
    faqs, key_takeaways, howto_steps, comparison, category_id, author_id, format_id, external_id, created_at, updated_at
  ) select
    ${article.id}::uuid, ${siteId}::uuid, ${article.status}::text, ${article.title}::text, ${article.slug}::text,
    ${article.content}::text, ${article.excerpt}::text, ${article.featured_image_url}::text, ${article.seo_title}::text,
    ${article.seo_description}::text, ${json(article.seo_keywords)}::jsonb, ${json(article.faqs)}::jsonb,
    ${json(article.key_takeaways)}::jsonb, ${json(article.howto_steps)}::jsonb, ${json(article.comparison)}::jsonb,
    ${article.category_id}::uuid, ${article.author_id}::uuid, ${article.format_id}::uuid, ${article.external_id}::text,
    ${at(article.created_at)}::timestamptz, ${at(article.updated_at)}::timestamptz`;

/** Ties a new article to its tags, and counts it where it belongs. */
function refer(tx: Pick<Transaction, 'atCommit'>, siteId: string, article: Article): void {
  if (article.tag_ids.length > 0) {
    tx.atCommit(addTags(siteId, article.id, article.tag_ids));
  }
  moveCounts(tx, null, article);
}

async function takenSlugs(tx: Transaction, siteId: string, base: string): Promise<ReadonlySet<string>> {
  // '.' is the next character after '-' : the range holds `base` and everything that begins with `base-`.
  const rows = await tx.any(sql.type(slugRow)`
    select slug from articles
    where site_id = ${siteId} and slug >= ${base} and slug < ${`${base}.`}
  `);
  return new Set(rows.map(({ slug }) => slug));
}
