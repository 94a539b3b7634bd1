import { performance } from 'node:perf_hooks';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';

/** How long one piece of work goes on: well within its activity's minute. What is left, the next run does. */
const BUDGET_MS = 20_000;

/**
 * Does something in short transactions, which hold nobody up, for as long as there is a whole batch of it. A backlog
 * that is longer than its time is worked off over several runs, so that nothing else of housekeeping waits for it.
 *
 * @param work one batch, the oldest first, which it finds by an index and names by `ctid`: by their keys the rows
 *   would be looked up once more, and where the size of a batch is a parameter, by reading the whole table
 * @returns how many in all
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
