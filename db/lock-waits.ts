import { statement } from './sql.ts';
import type { Transaction } from './transaction.ts';

/** Fails each later statement of the transaction that waits longer than this for a lock. */
export const limitLockWaits = (tx: Transaction, ms: number): Promise<number> =>
  tx.exec(statement`select set_config('lock_timeout', ${String(ms)}, true)`);
