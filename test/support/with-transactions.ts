import type { Database } from '../../db/database.ts';

/** A database with other transactions, also for the work of a Site. */
export function withTransactions(db: Database, transaction: Database['transaction']): Database {
  const changed: Database = { ...db, transaction, of: () => changed };
  return changed;
}
