import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { array, at, columnsOf, sql, statement, timestamp } from '../../db/sql.ts';
import { traceparent } from '../../observability/tracing/trace.ts';
import { articleRow } from '../articles/row.ts';

/** The members of an article that a client may write. */
const writable = articleRow.omit({
  id: true,
  status: true,
  origin: true,
  published_at: true,
  content_updated_at: true,
  scheduled_publish_at: true,
  version: true,
  updated_at: true,
  created_at: true,
});

const editRow = z.object({
  article_id: z.string(),
  base_version: z.number(),
  base: writable,
  changes: writable.partial(),
  conflict: z.array(z.string()),
  scheduled_at: timestamp.nullable(),
  version: z.number(),
  /** The version in which `changes` were last others: reviews name the text by it. */
  text_number: z.number(),
  /** The memberships of all who made `changes`, without their agents. */
  changed_by: z.array(z.string()),
  /** Whether `changes` became others after they were scheduled, on a Site that wants reviews. */
  unreviewed: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** An edit of a published article that is not shown yet (docs/spec/rulings.md, 15, Pending edit). */
export type PendingEdit = z.infer<typeof editRow>;

const columns = columnsOf(editRow, 'e');

/** Null if the article has none. A transaction that writes it has locked the article before. */
export const findPendingEdit = (
  db: Queryable,
  siteId: string,
  articleId: string,
): Promise<PendingEdit | null> =>
  db.maybeOne(sql.type(editRow)`
    select ${columns} from pending_edits e where e.article_id = ${articleId} and e.site_id = ${siteId}`);

export const insertEdit = (tx: Transaction, siteId: string, edit: PendingEdit): void =>
  tx.atCommit(statement`
    insert into pending_edits (
      article_id, site_id, base_version, base, changes, conflict, scheduled_at, version, text_number, changed_by,
      unreviewed, created_at, updated_at
    ) values (
      ${edit.article_id}, ${siteId}, ${edit.base_version}, ${JSON.stringify(edit.base)}::jsonb,
      ${JSON.stringify(edit.changes)}::jsonb, ${array(edit.conflict, 'text')}, ${timeOf(edit)}, ${edit.version},
      ${edit.text_number}, ${array(edit.changed_by, 'uuid')}, ${edit.unreviewed}, ${at(edit.created_at)}, ${at(edit.updated_at)}
    )`);

/**
 * Updates an edit; its `changes`, which may be large, are only sent if they differ. Who schedules it leaves the trace that
 * its publication continues.
 */
export const updateEdit = (tx: Transaction, current: PendingEdit, next: PendingEdit): void =>
  tx.atCommit(statement`
    update pending_edits set
      changes = coalesce(${next.changes === current.changes ? null : JSON.stringify(next.changes)}::jsonb, changes),
      conflict = ${array(next.conflict, 'text')}, scheduled_at = ${timeOf(next)}::timestamptz, version = ${next.version},
      text_number = ${next.text_number}, changed_by = ${array(next.changed_by, 'uuid')}, unreviewed = ${next.unreviewed},
      schedule_traceparent = case when scheduled_at = ${timeOf(next)}::timestamptz then schedule_traceparent
        else ${next.scheduled_at && traceparent()}::text end,
      updated_at = ${at(next.updated_at)}
    where article_id = ${current.article_id}`);

export const deleteEdit = (tx: Transaction, { article_id: id }: PendingEdit): void =>
  tx.atCommit(statement`delete from pending_edits where article_id = ${id}`);

const timeOf = ({ scheduled_at: time }: PendingEdit): string | null => time && at(time);
