import { z } from 'zod';
import type { Transaction } from '../../db/transaction.ts';
import { array, sql, statement } from '../../db/sql.ts';
import { validationFailed } from '../kernel/errors.ts';
import { RANK_LENGTH, rankBetween, rankOf } from './rank.ts';

const rankRow = z.object({ rank: z.string() });
const idRow = z.object({ id: z.string() });

/**
 * Locks the order of a Site's plan until the transaction ends: whoever gives a rank sees every rank given before. Taken
 * before the lock of an item.
 */
export const lockOrder = (tx: Transaction, siteId: string): Promise<number> =>
  tx.exec(statement`select from sites where id = ${siteId} for no key update`);

/** The rank behind all items. The order is locked. */
export async function lastRank(tx: Transaction, siteId: string): Promise<string> {
  const last = await tx.maybeOne(sql.type(rankRow)`
    select rank from plan_items where site_id = ${siteId} order by rank desc limit 1`);
  return rankBetween(last?.rank ?? null, null);
}

/** An item that is moved. */
interface Moved {
  readonly id: string;
  readonly rank: string;
}

/**
 * The rank of an item behind another one. The order is locked.
 *
 * @param after null for the top of the plan
 * @returns its own rank if it stands there
 * @throws ServiceError VALIDATION_FAILED on `after` if it is not another item of the plan
 */
export async function rankAfter(
  tx: Transaction,
  siteId: string,
  moved: Moved,
  after: string | null,
): Promise<string> {
  const rank = await findPlace(tx, siteId, moved, after);
  if (rank.length <= RANK_LENGTH) return rank;
  await giveNewRanks(tx, siteId, moved.id);
  return findPlace(tx, siteId, moved, after);
}

async function findPlace(
  tx: Transaction,
  siteId: string,
  moved: Moved,
  after: string | null,
): Promise<string> {
  const before = after === null ? null : await rankOfOther(tx, siteId, moved.id, after);
  const follows = before === null ? sql.fragment`` : sql.fragment`and rank > ${before}`;
  const following = await tx.maybeOne(sql.type(rankRow.extend(idRow.shape))`
    select id, rank from plan_items where site_id = ${siteId} ${follows} order by rank limit 1`);
  if (following?.id === moved.id) return moved.rank;
  return rankBetween(before, following?.rank ?? null);
}

async function rankOfOther(tx: Transaction, siteId: string, movedId: string, id: string): Promise<string> {
  if (id === movedId) throw validationFailed({ after: 'must be another item, or null for the top' });
  const found = await tx.maybeOne(sql.type(rankRow)`
    select rank from plan_items where id = ${id} and site_id = ${siteId}`);
  if (found === null) throw validationFailed({ after: 'is not the id of a plan item of this Site' });
  return found.rank;
}

/** Gives all items short ranks in the order that they have. The moved item gets its version with its own change. */
async function giveNewRanks(tx: Transaction, siteId: string, movedId: string): Promise<void> {
  const rows = await tx.any(sql.type(idRow)`
    select id from plan_items where site_id = ${siteId} order by rank for no key update`);
  const ids = rows.map(({ id }) => id);
  const ranks = ids.map((_, index) => rankOf(index));
  await tx.exec(statement`
    update plan_items p set rank = n.rank, version = p.version + (p.id <> ${movedId})::int
    from unnest(${array(ids, 'uuid')}, ${array(ranks, 'text')}) as n (id, rank)
    where p.id = n.id and p.rank <> n.rank`);
}
