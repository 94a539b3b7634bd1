import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, columnsOf, sql, timestamp } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { deleteBatch } from '../kernel/batch.ts';
import { newestFirst, readPage } from '../kernel/page.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Site } from '../kernel/site.ts';

const notificationRow = z.object({
  id: z.string(),
  site_id: z.string().nullable(),
  kind: z.string(),
  details: z.record(z.string(), z.string()),
  target_type: z.string().nullable(),
  target_id: z.string().nullable(),
  created_at: timestamp,
  read_at: timestamp.nullable(),
  language: z.enum(['en', 'de']),
});

export type Notification = z.infer<typeof notificationRow>;

const columns = columnsOf(notificationRow.omit({ language: true }), 'n');

/** A page of what a person was told, newest first. @param unread whether only what is unread */
export const listNotifications = (
  db: Queryable,
  site: Site,
  memberId: string,
  unread: boolean,
  request: PageRequest,
): Promise<Page<Notification>> =>
  readPage(
    site,
    `notifications ${JSON.stringify([memberId, unread])}`,
    request,
    newestFirst('n', 'created_at'),
    ({ after, order }, count) =>
      db.any(sql.type(notificationRow)`
        select ${columns}, m.language from notifications n join members m on m.id = n.member_id
        where n.member_id = ${memberId} and n.kind not like 'link.%' and ${unread ? sql.fragment`n.read_at is null` : sql.fragment`true`} and ${after}
        order by ${order} limit ${count}`),
  );

/** What is read: these, or what came before a time. */
export type ReadMark = { readonly ids: readonly string[] } | { readonly before: Date };

const idRow = z.object({ id: z.string() });

/** Marks what a person has read. What others were told, and what is read already, is left as it is. */
export async function markRead(change: Change, memberId: string, mark: ReadMark): Promise<void> {
  const { tx, now } = change;
  const marked =
    'ids' in mark
      ? sql.fragment`id = any(${array(mark.ids, 'uuid')})`
      : sql.fragment`created_at < ${at(mark.before)}`;
  const read = await tx.any(sql.type(idRow)`
    update notifications set read_at = greatest(${at(now)}::timestamptz, created_at)
    where member_id = ${memberId} and read_at is null and ${marked} returning id`);
  if (read.length > 0)
    recordChange(change, 'notifications.read', { type: 'member', id: memberId }, { read: read.length });
}

const RETENTION_MS = 90 * 24 * 60 * 60_000;

/** Deletes a batch of what people were told 90 days ago. @returns how many */
export const deleteOldNotifications = (tx: Transaction, now: Date, size: number): Promise<number> =>
  deleteBatch(tx, {
    table: 'notifications',
    by: 'created_at',
    until: new Date(now.getTime() - RETENTION_MS),
    size,
  });
