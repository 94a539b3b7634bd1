import type { Revision, WholeRevision } from './revisions.ts';
import { writtenMembers } from './row.ts';
import type { Article, WrittenMember } from './row.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const writtenOf = (article: Pick<Article, WrittenMember>) =>
  Object.fromEntries(writtenMembers.map((name) => [name, article[name]])) as Pick<Article, WrittenMember>;

/** An article as the API returns it and as events carry it (docs/spec/service-api.md, Article). */
export const presentArticle = (article: Article) => ({
  id: article.id,
  status: article.status,
  ...writtenOf(article),
  origin: article.origin,
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
  article: writtenOf(revision.article),
});
