import type { Effects } from '../../db/effects.ts';
import { enqueueIf } from '../../db/outbox.ts';
import { sql } from '../../db/sql.ts';
import { signalWorkflow, workflowMessage } from '../kernel/workflow-messages.ts';

/** Ends the workflow that waits to publish an edit. The database alone already prevents the publication. */
export const cancelEditTimer = (tx: Effects, siteId: string, articleId: string, now: Date): void =>
  signalWorkflow(tx, 'pending-edit', { articleId, siteId, signal: 'cancel' }, now);

/**
 * Ends the workflow that waits to publish the edit of an article, if there is one. Registered before the statement that
 * discards the edit, because it looks for it.
 */
export const cancelAnyEditTimer = (tx: Effects, siteId: string, articleId: string, now: Date): void =>
  enqueueIf(
    tx,
    workflowMessage('pending-edit', { articleId, siteId, signal: 'cancel' }),
    now,
    sql.fragment`exists (
      select from pending_edits e where e.article_id = ${articleId}::uuid and e.scheduled_at is not null)`,
  );
