import type { Revision, WholeRevision } from './revisions.ts';
import { writtenMembers } from './row.ts';
import type { Article } from './row.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** An article as the API returns it and as events carry it (docs/spec/service-api.md, Article). */
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

/** The answer of publish and the other lifecycle operations (docs/spec/rulings.md, 4, ArticleLifecycleState). */
export const presentLifecycle = (article: Article) => ({
  id: article.id,
  status: article.status,
  slug: article.slug,
  published_at: iso(article.published_at),
  content_updated_at: iso(article.content_updated_at),
  scheduled_publish_at: iso(article.scheduled_publish_at),
  updated_at: article.updated_at.toISOString(),
});

/** A revision as a list shows it (docs/spec/rulings.md, 15). */
export const presentRevision = (revision: Revision) => ({
  number: revision.number,
  created_at: revision.created_at.toISOString(),
  actor: { kind: revision.actor_kind, id: revision.actor_id, name: revision.actor_name },
  changed: revision.changed,
  title: revision.title,
});

/** A revision with the article as it then was, its members in the order of the API. */
export const presentWholeRevision = (revision: WholeRevision) => ({
  ...presentRevision(revision),
  article: Object.fromEntries(writtenMembers.map((name) => [name, revision.article[name]])),
});
