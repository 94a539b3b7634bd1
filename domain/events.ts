import type { Transaction } from '../db/database.ts';
import { at, statement } from '../db/sql.ts';
import { newId } from './ids.ts';

/** The event catalog (specification, Events; decisions 7). */
export const eventNames = [
  'article.published',
  'article.updated',
  'article.unpublished',
  'article.deleted',
  'comment.created',
  'pipeline_run.finished',
] as const;

export type EventName = (typeof eventNames)[number];

/**
 * Records that something happened, in the transaction that made it so. The body is made here, once: every
 * delivery, retry and redelivery carries these bytes. The Site's id appears nowhere in it.
 *
 * @param data the resource as the API returns it
 * @returns the event's id
 */
export async function recordEvent(
  tx: Transaction,
  siteId: string,
  event: EventName,
  data: object,
  now: Date,
): Promise<string> {
  const id = newId();
  const body = JSON.stringify({ id, event, created_at: now.toISOString(), data });
  await tx.exec(statement`
    insert into events (id, site_id, event, created_at, body) values (${id}, ${siteId}, ${event}, ${at(now)}, ${body})
  `);
  return id;
}
