import type { Article } from '../../sdk/src/index.ts';

export const members = [
  'id',
  'status',
  'external_id',
  'title',
  'slug',
  'content',
  'excerpt',
  'seo_title',
  'seo_description',
  'featured_image_url',
  'author_id',
  'category_id',
  'tag_ids',
  'format_id',
  'published_at',
  'content_updated_at',
  'faqs',
  'key_takeaways',
  'howto_steps',
  'comparison',
  'sources',
  'origin',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Article)[];

export type ReadArticle = Pick<Article, (typeof members)[number]>;

/** The statuses that an import file has. */
export const statuses = ['published', 'draft'] as const;

/** Whether an article belongs in the file. */
export const isExported = ({ status }: Pick<Article, 'status'>): boolean =>
  (statuses as readonly string[]).includes(status);
