import type { Database } from '../../db/database.ts';
import { edited } from './pending-edit.ts';
import { findPendingEdit } from './row.ts';
import { readArticle } from '../articles/article.ts';
import type { Article } from '../articles/row.ts';

/**
 * Reads an article as a preview shows it, whatever its status: with its pending edit applied, if it has one.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function shownArticle(db: Database, siteId: string, id: string): Promise<Article> {
  const [article, edit] = await Promise.all([
    readArticle(db, siteId, id, false),
    findPendingEdit(db, siteId, id),
  ]);
  return edited(article, edit);
}
