import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { sql, timestamp } from '../../db/sql.ts';
import type { FragmentSqlToken } from '../../db/sql.ts';

const scheduleRow = z.object({
  article_id: z.string(),
  /** Of the article, or of its pending edit. */
  kind: z.enum(['article', 'pending_edit']),
  title: z.string().nullable(),
  at: timestamp,
  site_id: z.string(),
  site_name: z.string(),
});

/** Something that will be published at a time. */
export type Schedule = z.infer<typeof scheduleRow>;

/**
 * What keys have scheduled last and is still to come, in all Sites of an organisation, the next one first. Schedules
 * outlive the key, so that whoever takes it away is told of them.
 *
 * @param keys a selection of ids
 */
export const listSchedulesOf = (
  db: Queryable,
  organisationId: string,
  keys: FragmentSqlToken,
  limit: number,
): Promise<readonly Schedule[]> =>
  db.any(sql.type(scheduleRow)`
    select p.article_id, p.kind, p.title, p.at, s.id as site_id, s.name as site_name from sites s join lateral (
      select id as article_id, 'article' as kind, title, scheduled_publish_at as at, 'article.schedule' as action
      from articles where site_id = s.id and status = 'scheduled'
      union all
      select e.article_id, 'pending_edit', coalesce(e.changes ->> 'title', a.title), e.scheduled_at, 'pending_edit.schedule'
      from pending_edits e join articles a on a.id = e.article_id where e.site_id = s.id and e.scheduled_at is not null
    ) p on (
      select l.actor_id from audit_log l
      where l.site_id = s.id and l.target_id = p.article_id and l.action = p.action order by l.at desc, l.id desc limit 1
    ) in (${keys})
    where s.organisation_id = ${organisationId} and s.deleting_since is null
    order by p.at, p.article_id, p.kind limit ${limit}`);

export const keyAlone = (keyId: string): FragmentSqlToken => sql.fragment`select ${keyId}::uuid`;

export const keysOfMember = (memberId: string): FragmentSqlToken =>
  sql.fragment`select id from api_keys where member_id = ${memberId} union all select ${memberId}::uuid`;
