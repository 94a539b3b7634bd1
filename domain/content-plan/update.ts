import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { at, json, sql } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';
import { findMissingReferences } from '../articles/references.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { differences } from '../audit/details.ts';
import { conflict, validationFailed } from '../kernel/errors.ts';
import { requireFewSources } from '../kernel/named-sources.ts';
import { hasEnded, workStatuses } from '../paid-work/paid-work.ts';
import { rankAfter } from './order.ts';
import { isTaken, planItemColumns, planItemRow, planItemTarget, writtenMembers } from './plan-item.ts';
import type { PlanItem, PlanItemChanges, WrittenMember } from './plan-item.ts';

const runRow = z.object({ status: z.enum(workStatuses) });

/** The subject of an item's article: after a change of these it is written anew. */
const topicMembers = [
  'title',
  'notes',
  'keywords',
  'source_url',
  'source_urls',
  'format_id',
  'category_id',
  'author_id',
] as const;

/**
 * Updates the given members that differ, and moves the item. Without an effective change the version stays.
 *
 * @param after where the item is moved: behind this item, to the top (null), or nowhere (undefined)
 * @throws ServiceError CONFLICT for the title of an item that a run has taken, and for its status while the run is
 *   running; VALIDATION_FAILED for references that do not exist
 */
export async function updatePlanItem(
  change: Change,
  current: PlanItem,
  sent: PlanItemChanges,
  after: string | null | undefined,
): Promise<PlanItem> {
  const { tx, site, now } = change;
  const changed = writtenMembers.filter(
    (name) => sent[name] !== undefined && !isDeepStrictEqual(sent[name], current[name]),
  );
  await requireChangeable(tx, site.id, current, changed);
  const missing = await findMissingReferences(tx, site.id, sent);
  if (Object.keys(missing).length > 0) throw validationFailed(missing);
  const rank = after === undefined ? current.rank : await rankAfter(tx, site.id, current, after);
  if (changed.length === 0 && rank === current.rank) return current;
  const next = { ...current, ...Object.fromEntries(changed.map((name) => [name, sent[name]])), rank };
  requireFewSources(next);
  const item = await write(tx, { ...next, ...madeOf(current, changed, next) }, now);
  const details = differences(current, item, [...writtenMembers, 'rank']);
  recordChange(change, 'plan_item.update', planItemTarget(item.id), details);
  return item;
}

/** @throws ServiceError CONFLICT */
async function requireChangeable(
  tx: Transaction,
  siteId: string,
  current: PlanItem,
  changed: readonly WrittenMember[],
): Promise<void> {
  if (!isTaken(current)) return;
  if (changed.includes('title')) {
    throw conflict(
      `title: an item that is ${current.status} keeps its title. Change the title of its article instead.`,
    );
  }
  if (changed.includes('status')) await requireNoRun(tx, siteId, current, 'keeps its status');
}

/** @param fact for the client @throws ServiceError CONFLICT while the run that took the item is running */
export async function requireNoRun(
  tx: Transaction,
  siteId: string,
  { run_id: runId }: PlanItem,
  fact: string,
): Promise<void> {
  const run = await tx.maybeOne(sql.type(runRow)`
    select status from pipeline_runs where id = ${runId} and site_id = ${siteId}`);
  if (run === null || hasEnded(run)) return;
  throw conflict(
    `The item ${fact} while its run is running. Cancel the run (POST /pipeline/runs/${runId}/cancel), or wait for its end.`,
  );
}

/**
 * The article and the run of a changed item. One that a client takes back leaves its run; its article only if that is
 * published. One that is rejected, or about something else now, leaves both.
 */
function madeOf(
  current: PlanItem,
  changed: readonly WrittenMember[],
  next: PlanItem,
): Pick<PlanItem, 'article_id' | 'run_id'> {
  if (isTaken(next)) return current;
  const another = topicMembers.some((name) => changed.includes(name));
  const leaves = another || next.status === 'rejected' || current.status === 'done';
  return { article_id: leaves ? null : current.article_id, run_id: null };
}

const write = (tx: Transaction, item: PlanItem, now: Date): Promise<PlanItem> =>
  tx.one(sql.type(planItemRow)`
    update plan_items p set title = ${item.title}, notes = ${item.notes}, keywords = ${json(item.keywords)},
      source_url = ${item.source_url}, source_urls = ${json(item.source_urls)}, format_id = ${item.format_id}, category_id = ${item.category_id},
      author_id = ${item.author_id}, target_date = ${item.target_date}, status = ${item.status}, rank = ${item.rank},
      article_id = ${item.article_id}, run_id = ${item.run_id}, version = p.version + 1,
      updated_at = greatest(p.updated_at, ${at(now)})
    where p.id = ${item.id} returning ${planItemColumns}`);
