import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { notFound } from '../errors.ts';

/** The statuses the pipeline owns (specification, Article status values). */
export const pipelineStatuses = [
  'discovered',
  'scored',
  'skipped',
  'scraped',
  'generated',
  'needs_improvement',
  'needs_images',
  'queued',
  'rejected',
  'failed',
] as const;

/** Every status of an article; clients set the first three by the lifecycle calls. */
export const articleStatuses = ['draft', 'scheduled', 'published', ...pipelineStatuses] as const;

export type ArticleStatus = (typeof articleStatuses)[number];

const faq = z.object({ question: z.string(), answer: z.string() });
const howtoStep = z.object({
  name: z.string(),
  text: z.string(),
  image_url: z.string().nullable().optional(),
});
const comparison = z.object({
  title: z.string().nullable().optional(),
  columns: z.array(z.string()),
  rows: z.array(z.object({ label: z.string(), values: z.array(z.string()) })),
});

export const articleRow = z.object({
  id: z.string(),
  status: z.enum(articleStatuses),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  content: z.string().nullable(),
  excerpt: z.string().nullable(),
  featured_image_url: z.string().nullable(),
  seo_title: z.string().nullable(),
  seo_description: z.string().nullable(),
  seo_keywords: z.array(z.string()).nullable(),
  faqs: z.array(faq).nullable(),
  key_takeaways: z.array(z.string()).nullable(),
  howto_steps: z.array(howtoStep).nullable(),
  comparison: comparison.nullable(),
  category_id: z.string().nullable(),
  author_id: z.string().nullable(),
  format_id: z.string().nullable(),
  tag_ids: z.array(z.string()),
  external_id: z.string().nullable(),
  published_at: timestamp.nullable(),
  content_updated_at: timestamp.nullable(),
  scheduled_publish_at: timestamp.nullable(),
  version: z.number(),
  created_at: timestamp,
  updated_at: timestamp,
});

export type Article = z.infer<typeof articleRow>;

/** The columns of one whole article, of the table under the name `a`. */
export const articleColumns = sql.fragment`
  a.id, a.status, a.title, a.slug, a.content, a.excerpt, a.featured_image_url, a.seo_title, a.seo_description,
  a.seo_keywords, a.faqs, a.key_takeaways, a.howto_steps, a.comparison, a.category_id, a.author_id, a.format_id,
  array(select t.tag_id from article_tags t where t.article_id = a.id order by t.tag_id) as tag_ids,
  a.external_id, a.published_at, a.content_updated_at, a.scheduled_publish_at, a.version, a.created_at, a.updated_at
`;

/** What a client may write of an article; what is not named is left as it is. */
export type ArticleChanges = Partial<
  Pick<
    Article,
    | 'title'
    | 'slug'
    | 'content'
    | 'excerpt'
    | 'featured_image_url'
    | 'seo_title'
    | 'seo_description'
    | 'seo_keywords'
    | 'faqs'
    | 'key_takeaways'
    | 'howto_steps'
    | 'comparison'
    | 'category_id'
    | 'author_id'
    | 'format_id'
    | 'tag_ids'
    | 'external_id'
  >
>;

/** An article of a Site; of a published one alone, where that is what the reader may see. */
const articleById = (siteId: string, id: string, publishedOnly: boolean) =>
  publishedOnly
    ? sql.type(articleRow)`
        select ${articleColumns} from articles a
        where a.id = ${id}::uuid and a.site_id = ${siteId}::uuid and a.status = 'published'`
    : sql.type(articleRow)`
        select ${articleColumns} from articles a where a.id = ${id}::uuid and a.site_id = ${siteId}::uuid`;

/**
 * For a reader: shares its round trip with others.
 *
 * @param publishedOnly what a publishable key may see
 * @throws ServiceError NOT_FOUND
 */
export async function readArticle(
  db: Database,
  siteId: string,
  id: string,
  publishedOnly: boolean,
): Promise<Article> {
  const [article] = await db.shared(articleById(siteId, id, publishedOnly));
  if (article === undefined) throw notFound('article');
  return article;
}

/**
 * Reads an article that is then changed: changes of one article come one after another.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getArticleForChange(tx: Transaction, siteId: string, id: string): Promise<Article> {
  const article = await tx.forChange(articleRowOf(id), articleById(siteId, id, false));
  if (article === null) throw notFound('article');
  return article;
}

/**
 * The moment of a change: not before that of the change before it, which may have been asked for later and come first.
 * Who reads what was updated since an answer's `updated_at` misses nothing.
 *
 * @param current the article, locked by the transaction that changes it
 */
export const momentOfChange = (current: Article, now: Date): Date =>
  current.updated_at > now ? current.updated_at : now;

/** Where an article stands, and since or until when. */
export type Standing = Pick<
  Article,
  'status' | 'published_at' | 'content_updated_at' | 'scheduled_publish_at'
>;

/**
 * Moves an article to another standing. It is written with COMMIT: what is answered needs nothing of the database.
 *
 * @param current the article, locked by this transaction
 * @returns the article as it will be
 */
export function moveArticle(
  tx: Transaction,
  current: Article,
  standing: Partial<Standing>,
  now: Date,
): Article {
  const next = changed(current, standing, now);
  tx.atCommit(statement`
    update articles set
      status = ${next.status}, published_at = ${next.published_at && at(next.published_at)},
      content_updated_at = ${next.content_updated_at && at(next.content_updated_at)},
      scheduled_publish_at = ${next.scheduled_publish_at && at(next.scheduled_publish_at)},
      version = ${next.version}, updated_at = ${at(next.updated_at)}
    where id = ${next.id}`);
  return next;
}

/** An article as it is after a change. @param current the article, locked by the transaction that changes it */
export const changed = (current: Article, changes: Partial<Article>, now: Date): Article => ({
  ...current,
  ...changes,
  version: current.version + 1,
  updated_at: momentOfChange(current, now),
});

/** Where an article's row is. */
export const articleRowOf = (id: string): FragmentSqlToken => sql.fragment`articles where id = ${id}`;

/** Locks an article's row, for a change that reads it otherwise. */
export const lockArticle = (tx: Transaction, id: string): Promise<number> =>
  tx.exec(statement`select from ${articleRowOf(id)} for no key update`);
