import type { Article } from './article.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** An article as the API returns it and as events carry it (specification, Article). */
export const presentArticle = (article: Article) => ({
  id: article.id,
  status: article.status,
  title: article.title,
  slug: article.slug,
  content: article.content,
  excerpt: article.excerpt,
  featured_image_url: article.featured_image_url,
  seo_title: article.seo_title,
  seo_description: article.seo_description,
  seo_keywords: article.seo_keywords,
  faqs: article.faqs,
  key_takeaways: article.key_takeaways,
  howto_steps: article.howto_steps,
  comparison: article.comparison,
  category_id: article.category_id,
  author_id: article.author_id,
  format_id: article.format_id,
  tag_ids: article.tag_ids,
  external_id: article.external_id,
  published_at: iso(article.published_at),
  content_updated_at: iso(article.content_updated_at),
  scheduled_publish_at: iso(article.scheduled_publish_at),
  created_at: article.created_at.toISOString(),
  updated_at: article.updated_at.toISOString(),
});

/** What publish and the other lifecycle calls answer (decisions 4, ArticleLifecycleState). */
export const presentLifecycle = (article: Article) => ({
  id: article.id,
  status: article.status,
  slug: article.slug,
  published_at: iso(article.published_at),
  content_updated_at: iso(article.content_updated_at),
  scheduled_publish_at: iso(article.scheduled_publish_at),
  updated_at: article.updated_at.toISOString(),
});
