import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { notFound } from '../kernel/errors.ts';
import { newestFirst, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import { commentStatuses, lockComments } from './site-comments.ts';
import type { CommentStatus } from './site-comments.ts';

const commentRow = z.object({
  id: z.string(),
  article_id: z.string(),
  slug: z.string().nullable(),
  parent_id: z.string().nullable(),
  status: z.enum(commentStatuses),
  is_public: z.boolean(),
  author_name: z.string(),
  author_email: z.string().nullable(),
  body: z.string(),
  is_reply_by_site: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
  spam_marked_at: timestamp.nullable(),
});

export type Comment = z.infer<typeof commentRow>;

const columns = sql.fragment`
  c.id, c.article_id, (select a.slug from articles a where a.id = c.article_id) as slug, c.parent_id, c.status,
  c.is_public, c.author_name, c.author_email, c.body, c.is_reply_by_site, c.created_at, c.updated_at, c.spam_marked_at`;

export interface CommentFilters {
  readonly status?: CommentStatus | undefined;
  /** Of the article, public or not. */
  readonly slug?: string | undefined;
}

/** A page of a Site's comments, newest first. */
export function listComments(
  db: Queryable,
  site: Site,
  { status, slug }: CommentFilters,
  request: PageRequest,
): Promise<Page<Comment>> {
  const where =
    slug === undefined
      ? [sql.fragment`c.site_id = ${site.id}`]
      : [
          sql.fragment`c.article_id = (select id from articles where site_id = ${site.id} and slug = ${slug})`,
        ];
  if (status !== undefined) where.push(sql.fragment`c.status = ${status}`);
  const query = `comments ${JSON.stringify([status, slug])}`;
  return readPage(site, query, request, newestFirst('c', 'created_at'), ({ after, order }, count) =>
    db.any(sql.type(commentRow)`
      select ${columns} from comments c
      where ${sql.join([...where, after], sql.fragment` and `)} order by ${order} limit ${count}`),
  );
}

/** @throws ServiceError NOT_FOUND */
export async function getComment(db: Queryable, siteId: string, id: string): Promise<Comment> {
  const row = await db.maybeOne(sql.type(commentRow)`
    select ${columns} from comments c where c.id = ${id} and c.site_id = ${siteId}`);
  if (row === null) throw notFound('comment');
  return row;
}

/**
 * Reads a comment, and locks the Site's comments until the transaction ends.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getCommentForUpdate(tx: Transaction, siteId: string, id: string): Promise<Comment> {
  const [, comment] = await Promise.all([lockComments(tx, siteId), getComment(tx, siteId, id)]);
  return comment;
}
