import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../access/authenticate.ts';
import { notFound } from '../errors.ts';
import { readPage } from '../page.ts';
import type { Page } from '../page.ts';
import { isClosed } from './settings.ts';

const PAGE_SIZE = 100;

const itemRow = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  author_name: z.string(),
  body: z.string(),
  created_at: z.string(),
});

const threadRow = z.object({
  article_id: z.string(),
  published_at: timestamp,
  thread_version: z.number(),
  settings_version: z.number(),
  enabled: z.boolean(),
  require_email: z.boolean(),
  close_after_days: z.number().nullable(),
  items: z.array(itemRow),
});

type ThreadRow = z.infer<typeof threadRow>;

/** The public comments of an article, and whether it takes more. */
export interface PostComments {
  readonly enabled: boolean;
  readonly open: boolean;
  readonly requireEmail: boolean;
  readonly page: Page<z.infer<typeof itemRow>>;
  /** Differs whenever anything of this does: an ETag. */
  readonly version: string;
}

/**
 * Reads a page of an article's public comments, oldest first: one statement, by an index that holds nothing else,
 * so that it costs the same however many there are, shown or hidden.
 *
 * @throws ServiceError NOT_FOUND for a slug that is no published article's
 */
export async function readPostComments(
  db: Queryable,
  site: Site,
  slug: string,
  cursor: string | undefined,
  now: Date,
): Promise<PostComments> {
  let found: ThreadRow | undefined;
  const page = await readPage(
    { key: site.cursorKey, query: `post comments ${slug}` },
    { cursor, limit: PAGE_SIZE },
    async (after, count) => {
      // A range of one article, which the planner takes for many rows: for an equality it expects the few of an
      // average article, and would rather fetch and sort all 10,000 of a great one.
      const from =
        after === null
          ? sql.fragment`c.article_id >= a.id`
          : sql.fragment`(c.article_id, c.created_at, c.id) > (a.id, ${after.key}::timestamptz, ${after.id}::uuid)`;
      const row = await db.maybeOne(sql.type(threadRow)`
        select a.id as article_id, a.published_at, coalesce(t.version, 0) as thread_version,
          coalesce(s.settings_version, 0) as settings_version, coalesce(s.enabled, false) as enabled,
          coalesce(s.require_email, false) as require_email, s.close_after_days,
          case when s.enabled then (
            select coalesce(json_agg(c), '[]') from (
              select c.id, c.parent_id, c.author_name, c.body, c.created_at from comments c
              where ${from} and c.article_id <= a.id and c.is_public
              order by c.article_id, c.created_at, c.id limit ${count}
            ) c
          ) else '[]' end as items
        from articles a
        left join site_comments s on s.site_id = a.site_id
        left join comment_threads t on t.article_id = a.id
        where a.site_id = ${site.id} and a.slug = ${slug} and a.status = 'published'`);
      if (row === null) throw notFound('published article');
      found = row;
      return row.items;
    },
    (item) => ({ key: new Date(item.created_at).toISOString(), id: item.id }),
  );
  const row = found as ThreadRow;
  const open = row.enabled && !isClosed(row, row.published_at, now);
  // An article may take over another one's slug, and it closes by time alone.
  const version = [row.article_id, row.thread_version, row.settings_version, open ? 'open' : 'closed'].join(
    '-',
  );
  return { enabled: row.enabled, open, requireEmail: row.require_email, page, version };
}

/** PostComments as the API shows it: no addresses (specification, Comments). */
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
