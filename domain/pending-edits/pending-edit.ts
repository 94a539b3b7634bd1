import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { currentArticle, readArticle } from '../articles/article.ts';
import type { Article, ArticleChanges } from '../articles/row.ts';
import { ServiceError } from '../kernel/errors.ts';
import { findPendingEdit } from './row.ts';
import type { PendingEdit } from './row.ts';

type Field = keyof ArticleChanges;

/** The article with the edit applied, as a preview shows it. */
export const edited = (article: Article, edit: PendingEdit | null): Article => ({
  ...article,
  ...edit?.changes,
});

/**
 * The fields in which the live article conflicts with the edit: those whose live value differs both from the value when
 * the edit was begun and from the edit's (docs/spec/rulings.md, 15, Pending edit).
 */
export const conflictsOf = (article: Article, { base, changes }: PendingEdit): readonly Field[] =>
  (Object.keys(changes) as Field[]).filter(
    (field) =>
      !isDeepStrictEqual(article[field], base[field]) && !isDeepStrictEqual(article[field], changes[field]),
  );

/** An edit after a change that has an effect. */
export const changedEdit = (current: PendingEdit, changes: Partial<PendingEdit>, now: Date): PendingEdit => ({
  ...current,
  ...changes,
  version: current.version + 1,
  updated_at: current.updated_at > now ? current.updated_at : now,
});

const noPendingEdit = (): ServiceError =>
  new ServiceError(
    'NOT_FOUND',
    'This article has no pending edit. Begin one with PATCH /articles/{id}/pending.',
  );

/** An article, and its pending edit. */
export interface EditedArticle<Edit = PendingEdit> {
  readonly article: Article;
  readonly edit: Edit;
}

/** @throws ServiceError NOT_FOUND if there is no such article or edit */
export async function readPendingEdit(
  db: Database,
  siteId: string,
  articleId: string,
): Promise<EditedArticle> {
  const [article, edit] = await Promise.all([
    readArticle(db, siteId, articleId, false),
    findPendingEdit(db, siteId, articleId),
  ]);
  if (edit === null) throw noPendingEdit();
  return { article, edit };
}

/**
 * Locks an article, and reads it with its pending edit, if it has one.
 *
 * @throws ServiceError NOT_FOUND if the article does not exist
 */
export async function lockArticleAndEdit(
  tx: Transaction,
  siteId: string,
  articleId: string,
): Promise<EditedArticle<PendingEdit | null>> {
  const article = await currentArticle(tx, siteId, articleId);
  return { article, edit: await findPendingEdit(tx, siteId, articleId) };
}

/** Locks an article that has a pending edit. @throws ServiceError NOT_FOUND if there is no such article or edit */
export async function lockEdit(tx: Transaction, siteId: string, articleId: string): Promise<EditedArticle> {
  const { article, edit } = await lockArticleAndEdit(tx, siteId, articleId);
  if (edit === null) throw noPendingEdit();
  return { article, edit };
}
