import { statement } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { values } from '../audit/details.ts';
import { planItemTarget } from './plan-item.ts';
import type { PlanItem } from './plan-item.ts';
import { requireNoRun } from './update.ts';

/** Deletes an item; its article stays. @throws ServiceError CONFLICT while its run is running */
export async function deletePlanItem(change: Change, current: PlanItem): Promise<void> {
  const { tx, site } = change;
  await requireNoRun(tx, site.id, current, 'cannot be deleted');
  tx.atCommit(statement`delete from plan_items where id = ${current.id}`);
  recordChange(
    change,
    'plan_item.delete',
    planItemTarget(current.id),
    values(current, ['title', 'status', 'article_id']),
  );
}
