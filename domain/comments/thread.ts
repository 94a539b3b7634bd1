import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';
import { notFound } from '../kernel/errors.ts';
import { pageOf, startOf } from '../kernel/page.ts';
import type { Page } from '../kernel/page.ts';
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

/** The public comments of an article, and whether it accepts more. */
export interface PostComments {
  readonly enabled: boolean;
  readonly open: boolean;
  readonly requireEmail: boolean;
  readonly page: Page<z.infer<typeof itemRow>>;
  /** Changes whenever any of this changes: an ETag. */
  readonly version: string;
}

/**
 * Reads a page of an article's public comments, oldest first, in one statement. Its index holds nothing else, so the
 * cost does not depend on how many comments are shown or hidden.
 *
 * @throws ServiceError NOT_FOUND if the slug is not that of a published article
 */
export async function readPostComments(
  db: Queryable,
  site: Site,
  slug: string,
  cursor: string | undefined,
  now: Date,
): Promise<PostComments> {
  const binding = { key: site.cursorKey, query: `post comments ${slug}` };
  const request = { cursor, limit: PAGE_SIZE };
  const after = startOf(binding, request);
  // A range of one article, for which the planner expects many rows. For an equality it expects the few rows of an
  // average article, and would fetch and sort all 10,000 of a large one.
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
          order by c.article_id, c.created_at, c.id limit ${PAGE_SIZE + 1}
        ) c
      ) else '[]' end as items
    from articles a
    left join site_comments s on s.site_id = a.site_id
    left join comment_threads t on t.article_id = a.id
    where a.site_id = ${site.id} and a.slug = ${slug} and a.status = 'published'`);
  if (row === null) throw notFound('published article');
  const page = pageOf(binding, request, row.items, (item) => ({
    key: new Date(item.created_at).toISOString(),
    id: item.id,
  }));
  const open = row.enabled && !isClosed(row, row.published_at, now);
  // Includes the article, because another one may take over its slug, and the state, because comments close by time.
  const version = [row.article_id, row.thread_version, row.settings_version, open ? 'open' : 'closed'].join(
    '-',
  );
  return { enabled: row.enabled, open, requireEmail: row.require_email, page, version };
}
