import type { Caller } from '../access/authenticate.ts';
import type { Author, Term } from './term.ts';

/**
 * `article_count` counts all articles for a secret key, and published ones for a publishable key
 * (docs/spec/rulings.md, 5).
 */
export const presentTerm = (row: Term, caller: Pick<Caller, 'kind'>) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  article_count: caller.kind === 'publishable' ? row.published_article_count : row.article_count,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const presentAuthor = (row: Author, caller: Pick<Caller, 'kind'>) => ({
  ...presentTerm(row, caller),
  bio: row.bio,
  avatar_url: row.avatar_url,
  is_ai_generated: row.is_ai_generated,
});
