import { array, at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { planItemColumns, planItemRow } from './plan-item.ts';
import type { PlanItem } from './plan-item.ts';

/** @returns the items that exist in the Site, in the order in which they are named, locked until the transaction ends */
export async function lockForRun(
  tx: Transaction,
  siteId: string,
  ids: readonly string[],
): Promise<readonly PlanItem[]> {
  const named = sql.fragment`p.site_id = ${siteId} and p.id = any(${array(ids, 'uuid')})`;
  // Articles are locked before items, as by a publication.
  await tx.exec(statement`
    select from articles where id in (select article_id from plan_items p where ${named}) order by id for no key update`);
  const rows = await tx.any(sql.type(planItemRow)`
    select ${planItemColumns} from plan_items p where ${named} order by p.id for no key update`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** An item, and the article that was made of it. */
export interface Made {
  readonly itemId: string;
  readonly articleId: string;
}

/** Stores which articles were made of locked items. `startItemsOf` follows. */
export async function assignArticles(tx: Transaction, made: readonly Made[]): Promise<void> {
  if (made.length === 0) return;
  const itemIds = array(
    made.map(({ itemId }) => itemId),
    'uuid',
  );
  const articleIds = array(
    made.map(({ articleId }) => articleId),
    'uuid',
  );
  await tx.exec(statement`
    update plan_items p set article_id = m.article_id
    from unnest(${itemIds}, ${articleIds}) as m (id, article_id) where p.id = m.id`);
}

/**
 * Marks the items whose articles a run has taken, also of a run that was not started from items: it may go on with
 * articles that an earlier run left unfinished.
 */
export async function startItemsOf(
  tx: Transaction,
  runId: string,
  articleIds: readonly string[],
  now: Date,
): Promise<void> {
  await tx.exec(statement`
    update plan_items set status = 'started', run_id = ${runId}, version = version + 1,
      earlier_status = case status when 'started' then earlier_status else status end,
      updated_at = greatest(updated_at, ${at(now)})
    where article_id = any(${array(articleIds, 'uuid')}) and status in ('idea', 'approved', 'started')`);
}

/**
 * Gives back the items of a run that was cancelled or failed, unless their article has been written. They keep an article
 * that exists, so that the next run does not begin another one.
 */
export async function giveBackItems(tx: Transaction, runId: string, now: Date): Promise<void> {
  await tx.exec(statement`
    update plan_items p set status = p.earlier_status, earlier_status = null, run_id = null, version = p.version + 1,
      updated_at = greatest(p.updated_at, ${at(now)})
    where p.run_id = ${runId} and p.status = 'started' and not exists (
      select from articles a left join pipeline_articles w on w.article_id = a.id
      where a.id = p.article_id
        and (w.stage in ('generate', 'improve') or a.status in ('draft', 'scheduled', 'published'))
    )`);
}
