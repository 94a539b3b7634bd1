import { performance } from 'node:perf_hooks';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';

/** Time limit of one call, well within its activity's minute. The next run does the rest. */
const BUDGET_MS = 20_000;

/**
 * Works in short transactions, until a batch is not full or the time is up. A long backlog takes several runs, so the
 * other steps of housekeeping do not wait for it.
 *
 * @param work one batch, the oldest rows first. It finds them by an index and selects them by `ctid`: selecting them by
 *   key would look them up twice, and would read the whole table if the batch size is a parameter.
 * @returns how many rows in all
 */
export async function inBatches(
  db: Database,
  batch: number,
  work: (tx: Transaction) => Promise<number>,
  budgetMs = BUDGET_MS,
): Promise<number> {
  const end = performance.now() + budgetMs;
  let total = 0;
  for (;;) {
    const done = await db.transaction(work);
    total += done;
    if (done < batch || performance.now() > end) return total;
  }
}

/** The same for one of up to seven calls of an activity, which have its minute together. */
export const inBatchesBriefly = (
  db: Database,
  batch: number,
  work: (tx: Transaction) => Promise<number>,
): Promise<number> => inBatches(db, batch, work, 5_000);
