import { array, at, sql, statement } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { newId } from '../kernel/ids.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import type { BulkAction, BulkJob, BulkParameters } from './job.ts';

/** Jobs of a Site that may be unfinished at the same time. */
export const UNFINISHED_LIMIT = 100;

export interface BulkRequest {
  readonly action: BulkAction;
  readonly articleIds: readonly string[];
  readonly parameters: BulkParameters;
  /** The only versions for which the action is allowed, by article; null if any version will do. */
  readonly versions: ReadonlyMap<string, number> | null;
}

/**
 * Creates a job, and leaves its items to its workflow.
 *
 * @throws ServiceError CONFLICT if too many jobs of the Site are unfinished
 */
export async function createBulkJob(
  change: Change,
  { action, articleIds, parameters, versions }: BulkRequest,
): Promise<BulkJob> {
  const { tx, site, actor, now } = change;
  // The changes of the items are the key's.
  if (actor.kind !== 'key') throw new Error(`A bulk job of a ${actor.kind}`);
  await requireRoom(tx, site.id, {
    limit: UNFINISHED_LIMIT,
    existing: sql.fragment`select from bulk_jobs where site_id = ${site.id} and finished_at is null`,
    message: `${UNFINISHED_LIMIT} bulk jobs of this Site are unfinished, which is the limit. Wait until one has ended, or cancel one.`,
  });
  const id = newId();
  tx.atCommit(statement`
    insert into bulk_jobs (id, site_id, action, parameters, status, key_id, request_id, created_at, active_at)
    values (${id}, ${site.id}, ${action}, ${JSON.stringify(parameters)}::jsonb, 'queued', ${actor.id}, ${actor.requestId},
      ${at(now)}, ${at(now)})`);
  tx.atCommit(statement`
    insert into bulk_items (job_id, position, article_id, version, status)
    select ${id}::uuid, n.position, n.article_id, n.version, 'waiting'
    from unnest(
      ${array(articleIds, 'uuid')},
      ${sql.array(
        articleIds.map((articleId) => versions?.get(articleId) ?? null),
        'int4',
      )}
    ) with ordinality as n (article_id, version, position)`);
  const details = { action, articles: articleIds.length };
  recordChange(change, 'bulk_job.create', { type: 'bulk_job', id }, details);
  signalWorkflow(tx, 'bulk', { jobId: id, siteId: site.id, signal: 'wake' }, now);
  const items = articleIds.map((articleId) => ({
    article_id: articleId,
    status: 'waiting' as const,
    error: null,
  }));
  return { id, key_id: actor.id, action, status: 'queued', items, created_at: now, finished_at: null };
}
