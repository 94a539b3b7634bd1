import { at, sql, statement } from '../../db/sql.ts';
import type { Transaction } from '../../db/transaction.ts';

/** A term that items refer to; they have no tags. */
export type PlannedTerm = 'category' | 'author';

const column = { category: sql.identifier(['category_id']), author: sql.identifier(['author_id']) };

/** Locks the items that refer to a term, before the term itself is locked. */
export const lockPlanned = (
  tx: Transaction,
  siteId: string,
  term: PlannedTerm,
  id: string,
): Promise<number> =>
  tx.exec(statement`
    select from plan_items where site_id = ${siteId} and ${column[term]} = ${id} order by id for no key update`);

/** Removes a term that is deleted from the plan. */
export const detachPlanned = (
  tx: Transaction,
  siteId: string,
  term: PlannedTerm,
  id: string,
  now: Date,
): Promise<number> =>
  tx.exec(statement`
    update plan_items set ${column[term]} = null, version = version + 1, updated_at = greatest(updated_at, ${at(now)})
    where site_id = ${siteId} and ${column[term]} = ${id}`);
