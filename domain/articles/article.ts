import { coalescedQuery } from '../../db/throughput/coalesced-query.ts';
import type { Database } from '../../db/database.ts';
import type { Effects } from '../../db/effects.ts';
import type { Rows, Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import { notFound } from '../kernel/errors.ts';
import { articleColumns, articleRow, updateRow } from './row.ts';
import type { Article, WrittenMember } from './row.ts';

const key = { id: 'uuid', siteId: 'uuid' } as const;

const articleById = coalescedQuery(
  articleRow,
  key,
  ({ id, siteId }) =>
    sql.fragment`select ${articleColumns} from articles a where a.id = ${id} and a.site_id = ${siteId}`,
);

const publishedArticleById = coalescedQuery(
  articleRow,
  key,
  ({ id, siteId }) => sql.fragment`
    select ${articleColumns} from articles a
    where a.id = ${id} and a.site_id = ${siteId} and a.status = 'published'`,
);

/**
 * Reads an article for a reader, in a coalesced read.
 *
 * @param publishedOnly for callers that may only see published articles
 * @throws ServiceError NOT_FOUND
 */
export async function readArticle(
  db: Database,
  siteId: string,
  id: string,
  publishedOnly: boolean,
): Promise<Article> {
  const byId = publishedOnly ? publishedArticleById : articleById;
  const [article] = await db.coalesced(byId({ id, siteId }));
  if (article === undefined) throw notFound('article');
  return article;
}

/**
 * Reads an article that is about to be changed; a transaction also locks it.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function currentArticle(rows: Rows, siteId: string, id: string): Promise<Article> {
  const article = await rows.current(articleRowOf(siteId, id), articleById({ id, siteId }));
  if (article === null) throw notFound('article');
  return article;
}

/**
 * The time of a change, never earlier than that of the change before it: a later request may be executed first. A
 * client that asks for changes since an answer's `updated_at` misses nothing.
 *
 */
export const momentOfChange = (current: Article, now: Date): Date =>
  current.updated_at > now ? current.updated_at : now;

/** Changes members that clients cannot write. It makes no revision. @returns the article after the change */
export function moveStatus(
  tx: Effects,
  current: Article,
  changes: Partial<Omit<Article, WrittenMember>>,
  now: Date,
): Article {
  const next = changed(current, changes, now);
  updateRow(tx, current, next);
  return next;
}

/** An article after a change. */
export const changed = (current: Article, changes: Partial<Article>, now: Date): Article => ({
  ...current,
  ...changes,
  version: current.version + 1,
  updated_at: momentOfChange(current, now),
});

/** The row of an article for a request, including the Site, so that no request locks another Site's row. */
const articleRowOf = (siteId: string, id: string): FragmentSqlToken =>
  sql.fragment`articles where id = ${id} and site_id = ${siteId}`;

/** Locks the row of an article for a change that reads it in another statement. */
export const lockArticle = (tx: Transaction, id: string): Promise<number> =>
  tx.exec(statement`select from articles where id = ${id} for no key update`);
