import type { ApprovalDetail, Presswork } from '../../../sdk/src/index.ts';
import { fieldsOf } from '../editor/saving/fields.ts';
import type { Fields, Patch } from '../editor/saving/fields.ts';

/** What a request does to the text of an article. */
export interface ArticleChange {
  /** What readers see, or will see at its time; null for nothing. */
  readonly now: Fields | null;
  /** What they would see afterwards; null for nothing. */
  readonly after: Fields | null;
}

type Asked = Pick<ApprovalDetail, 'action' | 'method' | 'path' | 'body'>;
type Options = { readonly signal: AbortSignal };

/** @returns null for a request that leaves the text as it is */
export async function loadArticleChange(
  presswork: Presswork,
  { action, method, path, body }: Asked,
  article: Fields & { readonly id: string; readonly status: string },
  edited: Fields | null,
  options: Options,
): Promise<ArticleChange | null> {
  const change = (now: Fields | null, after: Fields | null): ArticleChange => ({
    now: now && fieldsOf(now),
    after: after && fieldsOf(after),
  });
  const written = (before: Fields): ArticleChange | null =>
    body === null ? null : change(before, { ...before, ...(body as Patch) });
  const last = path.split('/').at(-1);
  switch (action) {
    case 'article.delete':
    case 'article.unpublish':
      return change(article, null);
    case 'article.publish':
      return change(article.status === 'published' ? article : null, article);
    case 'article.schedule':
      return last === 'schedule' ? change(null, article) : null;
    case 'article.update_published':
      if (last !== 'restore') return written(article);
      return change(article, (await revisionIn(presswork, path, article.id, options)).article);
    case 'pending_edit.publish':
      return change(article, edited);
    case 'pending_edit.schedule':
      if (method === 'DELETE') return change(edited, article);
      if (method === 'PATCH') return edited && written(edited);
      return last === 'schedule' ? change(article, edited) : null;
    default:
      return null;
  }
}

/** Of a path such as `/articles/{id}/revisions/7/restore`. */
const revisionIn = (presswork: Presswork, path: string, id: string, options: Options) =>
  presswork.articles.getRevision(id, Number(path.split('/').at(-2)), options);
