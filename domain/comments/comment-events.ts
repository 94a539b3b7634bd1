import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql, statement, timestamp } from '../../db/sql.ts';
import type { Change } from '../audit/change.ts';
import { mayBeWanted, offerEventsNow } from '../events/events.ts';
import type { Site } from '../kernel/site.ts';
import { presentCommentEvent } from './present.ts';
import { commentStatuses } from './site-comments.ts';

/** Addresses are matched case-insensitively (docs/spec/service-api.md, Comments, POST /comments/erase). */
const authorHash = (site: Pick<Site, 'cursorKey'>, email: string): Buffer =>
  createHmac('sha256', site.cursorKey).update(`author\0${email.toLowerCase()}`).digest();

/** Records which event is about which comment, and a hash of its author's address. */
export function noteCommentEvent(
  tx: Transaction,
  site: Site,
  eventId: string,
  commentId: string,
  authorEmail: string | null,
): void {
  const hash = authorEmail === null ? null : sql.binary(authorHash(site, authorEmail));
  tx.atCommit(statement`
    insert into comment_events (event_id, site_id, comment_id, author_hash)
    values (${eventId}, ${site.id}, ${commentId}, ${hash})`);
}

/** Of comments by strangers, which may be long. */
const BATCH = 500;

const toldRow = z.object({
  id: z.string(),
  article_id: z.string(),
  slug: z.string().nullable(),
  parent_id: z.string().nullable(),
  status: z.enum(commentStatuses),
  author_name: z.string(),
  author_email: z.string().nullable(),
  body: z.string(),
  created_at: timestamp,
  cursor_key: z.instanceof(Buffer),
});

/**
 * Tells those who subscribe to it what became of comments, as they are now; at once, because comments may be deleted
 * next, and what tells of them may be erased.
 */
export async function tellOfComments(
  { tx, site, now }: Pick<Change, 'tx' | 'site' | 'now'>,
  event: 'comment.approved' | 'comment.removed',
  ids: readonly string[],
): Promise<void> {
  if (!mayBeWanted(site, event)) return;
  for (let from = 0; from < ids.length; from += BATCH) {
    const rows = await tx.any(sql.type(toldRow)`
      select c.id, c.article_id, a.slug, c.parent_id, c.status, c.author_name, c.author_email, c.body, c.created_at,
        s.cursor_key
      from comments c join articles a on a.id = c.article_id join sites s on s.id = c.site_id
      where c.id = any(${array(ids.slice(from, from + BATCH), 'uuid')}) order by c.id`);
    const offers = rows.map((row) => ({ site, data: () => presentCommentEvent(row) }));
    const eventIds = await offerEventsNow(tx, event, offers, now);
    await noteEvents(tx, site.id, eventIds, rows);
  }
}

/** What {@link noteCommentEvent} notes, of the events that were recorded. */
const noteEvents = (
  tx: Transaction,
  siteId: string,
  eventIds: readonly string[],
  rows: readonly z.infer<typeof toldRow>[],
): Promise<number> =>
  tx.exec(statement`
    insert into comment_events (event_id, site_id, comment_id, author_hash)
    select n.event_id, ${siteId}, n.comment_id, decode(n.author_hash, 'hex')
    from unnest(
      ${array(eventIds, 'uuid')},
      ${array(
        rows.map(({ id }) => id),
        'uuid',
      )},
      ${array(
        rows.map(({ author_email: email, cursor_key: cursorKey }) =>
          email === null ? null : authorHash({ cursorKey }, email).toString('hex'),
        ),
        'text',
      )}
    ) as n (event_id, comment_id, author_hash)
    where exists (select from events e where e.id = n.event_id)`);

const eventRow = z.object({ id: z.string(), body: z.string() });

/**
 * Sets name and text to null in the events of these comments, and of earlier deleted comments from the same address.
 * Pending deliveries send them without name and text (docs/spec/rulings.md, 14).
 */
export async function redactEvents(
  tx: Transaction,
  site: Site,
  commentIds: readonly string[],
  authorEmail: string,
): Promise<void> {
  const rows = await tx.any(sql.type(eventRow)`
    with told as (
      delete from comment_events
      where comment_id = any(${array(commentIds, 'uuid')})
        or (site_id = ${site.id} and author_hash = ${sql.binary(authorHash(site, authorEmail))})
      returning event_id
    )
    select e.id, e.body from told join events e on e.id = told.event_id order by e.id for no key update of e`);
  await tx.exec(statement`
    update events e set body = r.body
    from unnest(
      ${array(
        rows.map(({ id }) => id),
        'uuid',
      )},
      ${array(
        rows.map(({ body }) => redacted(body)),
        'text',
      )}
    ) as r (id, body)
    where e.id = r.id`);
}

function redacted(body: string): string {
  const event = JSON.parse(body) as { readonly data: object };
  return JSON.stringify({ ...event, data: { ...event.data, author_name: null, body: null } });
}
