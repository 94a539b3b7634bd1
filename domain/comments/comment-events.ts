import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql, statement } from '../../db/sql.ts';
import type { Site } from '../kernel/site.ts';

/** Addresses are matched case-insensitively (docs/spec/service-api.md, Comments, POST /comments/erase). */
const authorHash = (site: Site, email: string): Buffer =>
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
