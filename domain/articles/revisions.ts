import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { notFound } from '../kernel/errors.ts';
import { readPage } from '../kernel/page.ts';
import type { Order, Page, PageRequest } from '../kernel/page.ts';
import { KEPT_REVISIONS, readLast } from './revision-body.ts';
import type { KeptMembers } from './revision-body.ts';

const revisionRow = z.object({
  number: z.number(),
  created_at: timestamp,
  actor_kind: z.enum(['key', 'person', 'system']),
  actor_id: z.string().nullable(),
  actor_name: z.string(),
  changed: z.array(z.string()),
  title: z.string().nullable(),
});

const wholeRow = revisionRow.extend({
  category_id: z.string().nullable(),
  author_id: z.string().nullable(),
  tag_ids: z.array(z.string()),
  digest: z.instanceof(Buffer),
  whole: z.boolean(),
  body: z.instanceof(Buffer),
});

const idRow = z.object({ id: z.string() });

export type Revision = z.infer<typeof revisionRow>;

/** A revision with all members that clients may write, as they were then. */
export interface WholeRevision extends Revision {
  readonly article: KeptMembers & Pick<z.infer<typeof wholeRow>, 'category_id' | 'author_id' | 'tag_ids'>;
}

/** The columns of a revision, from the table `r`. */
const columns = sql.fragment`
  r.number, r.created_at, r.actor_kind, r.actor_id, r.changed, r.title,
  coalesce(
    r.actor_name,
    (select k.name from api_keys k where k.id = r.actor_id),
    (select m.email from members m where m.id = r.actor_id)
  ) as actor_name`;

const ofArticle = (siteId: string, articleId: string): FragmentSqlToken =>
  sql.fragment`r.article_id = ${articleId}::uuid and r.site_id = ${siteId}::uuid`;

const newest: Order<Revision> = {
  columns: [sql.fragment`r.number`],
  direction: 'desc',
  positionOf: ({ number }) => ({ key: null, id: String(number) }),
};

/** A page of the revisions of an article, newest first. @throws ServiceError NOT_FOUND for an unknown article */
export async function listRevisions(
  db: Queryable,
  site: Site,
  articleId: string,
  request: PageRequest,
): Promise<Page<Revision>> {
  const query = `article-revisions:${articleId}`;
  const page = await readPage(site, query, request, newest, ({ after, order }, count) =>
    db.any(sql.type(revisionRow)`
      select ${columns} from (
        select * from article_revisions r where ${ofArticle(site.id, articleId)}
        order by r.number desc limit ${KEPT_REVISIONS}
      ) r
      where ${after} order by ${order} limit ${count}`),
  );
  // An article that is older than revisions has none.
  if (page.items.length === 0) await requireArticle(db, site.id, articleId);
  return page;
}

async function requireArticle(db: Queryable, siteId: string, id: string): Promise<void> {
  const found = await db.maybeOne(sql.type(idRow)`
    select id from articles where id = ${id} and site_id = ${siteId}`);
  if (found === null) throw notFound('article');
}

/** The largest number of a revision. */
const LARGEST = 2 ** 31 - 1;
const numberForm = /^[1-9]\d{0,9}$/;

/**
 * Reads a revision.
 *
 * @param number as it is in the path
 * @throws ServiceError NOT_FOUND, also for a number that is no number
 */
export async function getRevision(
  db: Queryable,
  siteId: string,
  articleId: string,
  number: string,
): Promise<WholeRevision> {
  const wanted = numberForm.test(number) ? Number(number) : Infinity;
  // The body of a revision is whole, or the difference to that of the one before. That one may have been kept for it alone.
  const rows =
    wanted > LARGEST
      ? []
      : await db.any(sql.type(wholeRow)`
          select ${columns}, r.category_id, r.author_id, r.tag_ids, r.digest, r.whole, r.body from article_revisions r
          where ${ofArticle(siteId, articleId)} and r.number <= ${wanted}::int and r.number >= (
            select w.number from article_revisions w
            where w.article_id = ${articleId}::uuid and w.number <= ${wanted}::int and w.whole
            order by w.number desc limit 1
          ) and ${wanted}::int >= (
            select min(k.number) from (
              select n.number from article_revisions n where n.article_id = ${articleId}::uuid
              order by n.number desc limit ${KEPT_REVISIONS}
            ) k
          )
          order by r.number`);
  const found = rows.at(-1);
  if (found?.number !== wanted) throw notFound('revision');
  const { category_id, author_id, tag_ids, digest: _digest, whole: _whole, body: _body, ...revision } = found;
  return { ...revision, article: { ...(await readLast(rows)), category_id, author_id, tag_ids } };
}
