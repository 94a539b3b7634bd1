import { z } from 'zod';
import { array, at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { articleStatuses } from '../articles/row.ts';
import type { PlanItem } from '../content-plan/plan-item.ts';
import { isTaken } from '../content-plan/plan-item.ts';
import { lockForRun } from '../content-plan/take.ts';
import { conflict, validationFailed } from '../kernel/errors.ts';
import type { Candidate } from './choose.ts';
import { isInPipeline, nextStage, requeued, stages } from './stages.ts';

/** An item that a run takes. */
export interface PlannedWork {
  readonly item: PlanItem;
  /** An article that an earlier run began; null if one has to be made. */
  readonly begun: Candidate | null;
}

const TAKEN = 'There is nothing to do: runs have taken these plan items.';

/**
 * Finds and locks the plan items that a run can take, in its order. Those that another run has taken are left out.
 *
 * @throws ServiceError CONFLICT if none is left, then VALIDATION_FAILED for unknown and rejected ones
 */
export async function choosePlanItems(
  tx: Transaction,
  siteId: string,
  ids: readonly string[],
  now: Date,
): Promise<readonly PlannedWork[]> {
  const items = await lockForRun(tx, siteId, ids);
  const free = items.filter(({ status }) => status === 'idea' || status === 'approved');
  if (free.length === 0 && items.some(isTaken)) throw conflict(TAKEN);
  const fields = unusable(ids, items);
  if (Object.keys(fields).length > 0) throw validationFailed(fields);
  const begun = await continueArticles(
    tx,
    free.flatMap(({ article_id: id }) => id ?? []),
    now,
  );
  return free.map((item) => ({ item, begun: begun.get(item.article_id ?? '') ?? null }));
}

function unusable(ids: readonly string[], items: readonly PlanItem[]): Record<string, string> {
  const statuses = new Map(items.map(({ id, status }) => [id, status]));
  return Object.fromEntries(
    ids.flatMap((id, index) => {
      const status = statuses.get(id);
      if (status === undefined)
        return [[`plan_item_ids.${index}`, 'is not the id of a plan item of this Site']];
      if (status === 'rejected')
        return [[`plan_item_ids.${index}`, 'is rejected: set its status to idea or approved first']];
      return [];
    }),
  );
}

const begunRow = z.object({
  id: z.string(),
  status: z.enum(articleStatuses),
  stage: z.enum(stages).nullable(),
});

/**
 * Prepares articles that earlier runs began and did not write, so that a run can go on with them. Failed and skipped ones
 * continue after their last good stage, as by a requeue.
 *
 * @returns those that can be continued, by their ids
 */
async function continueArticles(
  tx: Transaction,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Candidate>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.any(sql.type(begunRow)`
    select a.id, a.status, p.stage from articles a join pipeline_articles p on p.article_id = a.id
    where a.id = any(${array(ids, 'uuid')})`);
  const found = new Map<string, Candidate>();
  for (const row of rows) {
    const written = !isInPipeline(row.status) || row.stage === 'generate' || row.stage === 'improve';
    // A person rejected it: the item gets another article.
    const position =
      written || row.status === 'rejected' ? null : nextStage(row) === null ? requeued(row) : row;
    const next = position === null ? null : nextStage(position);
    if (position === null || next === null) continue;
    if (position.status !== row.status) {
      await tx.exec(statement`
        update articles set status = ${position.status}, version = version + 1,
          updated_at = greatest(updated_at, ${at(now)}) where id = ${row.id}`);
      await tx.exec(statement`
        update pipeline_articles set stage = ${position.stage} where article_id = ${row.id}`);
    }
    found.set(row.id, { id: row.id, stage: position.stage, next });
  }
  return found;
}
