import { z } from 'zod';
import type { Queryable } from '../../db/statements.ts';
import type { Transaction } from '../../db/transaction.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { recordChange } from '../audit/change.ts';
import type { Change } from '../audit/change.ts';
import { chargeCredits, refundCredits } from '../billing/charge.ts';
import { newId } from '../kernel/ids.ts';
import { lockBalance } from '../usage/credits.ts';
import { requireCredits } from '../usage/require-credits.ts';
import { stageCost, stages } from './stages.ts';
import type { Stage } from './stages.ts';
import { countFailedCalls } from './tries.ts';

const tryRow = z.object({ id: z.string(), site_id: z.string(), stage: z.enum(stages) });

/** A try of a prompt that has been paid for and is not done yet. */
export type OpenTry = z.infer<typeof tryRow>;

/**
 * Charges a try like the stage that it tries. Until it is done, its row says that it may have to be refunded.
 *
 * @throws ServiceError INSUFFICIENT_CREDITS or SPEND_CAP_REACHED
 */
export async function openTry(change: Change, stage: Stage): Promise<OpenTry> {
  const { tx, site, now } = change;
  const cost = stageCost[stage];
  // So that nobody else is charged in between.
  await lockBalance(tx, site.id);
  await requireCredits(tx, site.id, cost, { unit: 'stage', started: 'try' }, now);
  const opened = await tx.one(sql.type(tryRow)`
    insert into prompt_tries (id, site_id, stage, created_at) values (${newId()}, ${site.id}, ${stage}, ${at(now)})
    returning id, site_id, stage`);
  await chargeCredits(tx, { siteId: site.id, tryId: opened.id, stage, cost }, now);
  recordChange(change, 'prompt.try', { type: 'site', id: site.id }, { stage, credits: cost });
  return opened;
}

/**
 * Ends a try. One that failed is refunded, unless the Site has used up its failed calls of the month.
 *
 * @param failedCalls that a model worked on without a usable answer; null if the try succeeded
 * @returns the credits that it cost
 */
export async function closeTry(
  tx: Transaction,
  { id, site_id: siteId, stage }: OpenTry,
  failedCalls: number | null,
  now: Date,
): Promise<number> {
  // Before the row of the month, in the same order as charges.
  await lockBalance(tx, siteId);
  const open = await tx.exec(statement`delete from prompt_tries where id = ${id}`);
  if (open === 0) return 0;
  if (failedCalls === null) return stageCost[stage];
  const { usedUp } = await countFailedCalls(tx, siteId, failedCalls, now);
  if (usedUp && failedCalls > 0) return stageCost[stage];
  await refundCredits(tx, { siteId, tryId: id, stage }, now);
  return 0;
}

/** Tries whose process was lost. */
export const findForgottenTries = (db: Queryable, before: Date, most: number): Promise<readonly OpenTry[]> =>
  db.any(sql.type(tryRow)`
    select id, site_id, stage from prompt_tries where created_at < ${at(before)} order by created_at limit ${most}::int`);
