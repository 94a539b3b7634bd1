import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { sql, statement, timestamp } from '../../db/sql.ts';
import { notFound } from '../kernel/errors.ts';

export const bulkActions = [
  'publish',
  'unpublish',
  'delete',
  'set_category',
  'set_author',
  'add_tags',
  'remove_tags',
  'schedule',
] as const;

export type BulkAction = (typeof bulkActions)[number];

/** `completed` and `cancelled` are final. */
export const bulkStatuses = ['queued', 'running', 'completed', 'cancelled'] as const;

export const itemStatuses = ['waiting', 'done', 'failed'] as const;

/** The members of a request that go with an action; each action has one at most. */
export const bulkParameters = z.object({
  category_id: z.string().nullable().optional(),
  author_id: z.string().nullable().optional(),
  tag_ids: z.array(z.string()).optional(),
  scheduled_publish_at: z.string().optional(),
});

export type BulkParameters = z.infer<typeof bulkParameters>;

const itemRow = z.object({
  article_id: z.string(),
  status: z.enum(itemStatuses),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

const jobRow = z.object({
  id: z.string(),
  /** The key that began it. */
  key_id: z.string(),
  action: z.enum(bulkActions),
  status: z.enum(bulkStatuses),
  items: z.array(itemRow),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});

/** One action for many articles (docs/spec/rulings.md, 15, Bulk). */
export type BulkJob = z.infer<typeof jobRow>;

export const hasEnded = ({ status }: Pick<BulkJob, 'status'>): boolean =>
  status === 'completed' || status === 'cancelled';

/** @throws ServiceError NOT_FOUND */
export async function getBulkJob(db: Queryable, siteId: string, id: string): Promise<BulkJob> {
  const job = await db.maybeOne(sql.type(jobRow)`
    select j.id, j.key_id, j.action, j.status, j.created_at, j.finished_at,
      (
        select jsonb_agg(jsonb_build_object('article_id', i.article_id, 'status', i.status, 'error',
          case when i.status = 'failed' then jsonb_build_object('code', i.error_code, 'message', i.error_message) end
        ) order by i.position) from bulk_items i where i.job_id = j.id
      ) as items
    from bulk_jobs j where j.id = ${id} and j.site_id = ${siteId}`);
  if (job === null) throw notFound('bulk job');
  return job;
}

/**
 * Locks a job until the transaction ends. Whoever applies its items holds this lock, so that its items are applied by
 * one at a time, and a cancellation waits for those that have begun.
 */
export const lockBulkJob = (tx: Transaction, siteId: string, id: string): Promise<number> =>
  tx.exec(statement`select from bulk_jobs where id = ${id} and site_id = ${siteId} for no key update`);
