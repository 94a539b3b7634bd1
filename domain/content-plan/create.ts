import { sql, at, json } from '../../db/sql.ts';
import { requireReferences } from '../articles/references.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { values } from '../audit/details.ts';
import { requireRoom } from '../kernel/ceilings.ts';
import { newId } from '../kernel/ids.ts';
import { lastRank, lockOrder } from './order.ts';
import { planItemColumns, planItemRow, planItemTarget, writtenMembers } from './plan-item.ts';
import type { PlanItem, PlanItemChanges } from './plan-item.ts';

/** The most items of a plan. */
export const PLAN_LIMIT = 10_000;

/**
 * Adds an item to the end of the Site's plan.
 *
 * @throws ServiceError VALIDATION_FAILED for references that do not exist; CONFLICT if the plan is full
 */
export async function createPlanItem(
  change: Change,
  sent: PlanItemChanges & { readonly title: string },
): Promise<PlanItem> {
  const { tx, site, now } = change;
  await lockOrder(tx, site.id);
  await requireReferences(tx, site.id, sent);
  await requireRoom(tx, site.id, {
    limit: PLAN_LIMIT,
    existing: sql.fragment`select from plan_items where site_id = ${site.id}`,
    message: `The content plan has ${PLAN_LIMIT} items, which is the limit. Delete some of them: DELETE /content-plan/{id}.`,
  });
  const rank = await lastRank(tx, site.id);
  const item = await tx.one(sql.type(planItemRow)`
    insert into plan_items as p (
      id, site_id, title, notes, keywords, source_url, source_urls, format_id, category_id, author_id, target_date,
      status, rank, created_at, updated_at
    ) values (
      ${newId()}, ${site.id}, ${sent.title}, ${sent.notes ?? null}, ${json(sent.keywords ?? [])},
      ${sent.source_url ?? null}, ${json(sent.source_urls ?? [])}, ${sent.format_id ?? null},
      ${sent.category_id ?? null}, ${sent.author_id ?? null}, ${sent.target_date ?? null}, ${sent.status ?? 'idea'}, ${rank}, ${at(now)}, ${at(now)}
    ) returning ${planItemColumns}`);
  recordChange(change, 'plan_item.create', planItemTarget(item.id), values(item, writtenMembers));
  return item;
}
