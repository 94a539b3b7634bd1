import type { FieldMessages } from '../errors.ts';
import type { Article, ArticleStatus } from './article.ts';

/** From where an article may become public, at once or at a time (decisions 4). */
const publishable: ReadonlySet<ArticleStatus> = new Set([
  'draft',
  'scheduled',
  'generated',
  'needs_improvement',
  'needs_images',
  'queued',
]);

export const canBecomePublic = (status: ArticleStatus): boolean => publishable.has(status);

/** What an article lacks to be public (specification, States and transitions); empty where nothing. */
export function missingForPublication(article: Pick<Article, 'title' | 'slug' | 'content'>): FieldMessages {
  const missing: Record<string, string> = {};
  for (const name of ['title', 'slug', 'content'] as const) {
    if ((article[name] ?? '').trim() === '')
      missing[name] = `must not be empty when the article is published: set ${name} first`;
  }
  return missing;
}
