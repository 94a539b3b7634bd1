import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import { array, at, sql, statement } from '../../db/sql.ts';
import { makerOf } from '../access/standing.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { signalWorkflow } from '../kernel/workflow-messages.ts';
import type { Push } from './push.ts';

/**
 * Pushes of a Site that may be unfinished at the same time, of those that somebody asked for. Those that follow a change by
 * themselves are bounded by the changes, and keep nobody from pushing.
 */
export const UNFINISHED_LIMIT = 1_000;

const idRow = z.object({ id: z.string() });

export interface PushRequest {
  readonly connectionId: string;
  readonly articleIds: readonly string[];
  readonly force: boolean;
}

/**
 * Creates a push, and leaves its items to the workflow of the connection.
 *
 * @throws ServiceError VALIDATION_FAILED for articles that do not exist; CONFLICT if too many pushes are unfinished
 */
export async function createPush(
  change: Change,
  { connectionId, articleIds, force }: PushRequest,
): Promise<Push> {
  const { tx, site, now } = change;
  await requireRoom(tx, site.id, {
    limit: UNFINISHED_LIMIT,
    existing: sql.fragment`select from cms_pushes where site_id = ${site.id} and finished_at is null and not automatic`,
    message: `${UNFINISHED_LIMIT} pushes of this Site are unfinished, beside those that were made by themselves, and that is the limit. Wait until some have ended.`,
  });
  await requireArticles(tx, site.id, articleIds);
  const id = newId();
  await tx.exec(statement`
    insert into cms_pushes (id, site_id, connection_id, force, created_at, key_id)
    values (${id}, ${site.id}, ${connectionId}, ${force}, ${at(now)}, ${makerOf(change.actor)})`);
  // Also due by the database's clock: the worker's clock may be behind this process's.
  await tx.exec(statement`
    insert into cms_push_items (push_id, position, connection_id, article_id, status, due_at)
    select ${id}::uuid, n.position, ${connectionId}::uuid, n.article_id, 'waiting', least(${at(now)}::timestamptz, now())
    from unnest(${array(articleIds, 'uuid')}) with ordinality as n (article_id, position)`);
  const details = { connection_id: connectionId, articles: articleIds.length, force };
  recordChange(change, 'cms.push', { type: 'push', id }, details);
  signalWorkflow(tx, 'cms-push', { connectionId, siteId: site.id }, now);
  const items = articleIds.map((articleId) => ({
    article_id: articleId,
    status: 'waiting' as const,
    remote_url: null,
    error: null,
    attempts: 0,
  }));
  return { id, connection_id: connectionId, items, created_at: now, finished_at: null };
}

/** @throws ServiceError VALIDATION_FAILED on `article_ids.N` */
export async function requireArticles(
  db: Queryable,
  siteId: string,
  articleIds: readonly string[],
): Promise<void> {
  const rows = await db.any(sql.type(idRow)`
    select id from articles where id = any(${array(articleIds, 'uuid')}) and site_id = ${siteId}`);
  const found = new Set(rows.map(({ id }) => id));
  const unknown = articleIds.flatMap((id, index) =>
    found.has(id) ? [] : [[`article_ids.${index}`, 'is not the id of an article of this Site'] as const],
  );
  if (unknown.length > 0) throw validationFailed(Object.fromEntries(unknown));
}
