import type { Comment } from './comment.ts';
import type { PostComments } from './thread.ts';

/** A comment as moderators see it (docs/spec/rulings.md, 8, Comment). */
export const presentComment = (comment: Comment) => ({
  id: comment.id,
  article_id: comment.article_id,
  slug: comment.slug,
  parent_id: comment.parent_id,
  status: comment.status,
  author_name: comment.author_name,
  author_email: comment.author_email,
  body: comment.body,
  is_reply_by_site: comment.is_reply_by_site,
  created_at: comment.created_at.toISOString(),
  updated_at: comment.updated_at.toISOString(),
  spam_marked_at: comment.spam_marked_at?.toISOString() ?? null,
});

/** A comment as events show it: no address (docs/spec/rulings.md, 8 and 24). */
export const presentCommentEvent = (
  comment: Pick<
    Comment,
    'id' | 'article_id' | 'slug' | 'parent_id' | 'status' | 'author_name' | 'body' | 'created_at'
  >,
) => ({
  id: comment.id,
  article_id: comment.article_id,
  slug: comment.slug,
  parent_id: comment.parent_id,
  status: comment.status,
  author_name: comment.author_name,
  body: comment.body,
  created_at: comment.created_at.toISOString(),
});

/** PostComments as the API shows it: no addresses (docs/spec/service-api.md, Comment). */
export const presentPostComments = ({ enabled, open, requireEmail, page }: PostComments) => ({
  enabled,
  open,
  require_email: requireEmail,
  items: page.items.map(({ id, parent_id, author_name, body, created_at }) => ({
    id,
    parent_id,
    author_name,
    body,
    created_at: new Date(created_at).toISOString(),
  })),
  next_cursor: page.nextCursor,
});
