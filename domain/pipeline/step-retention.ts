import type { Transaction } from '../../db/transaction.ts';
import { sql, statement } from '../../db/sql.ts';
import { inBatch } from '../kernel/batch.ts';

/** How long steps are shown, and prompts and answers stored: as long as events. */
const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Steps that ended before are neither listed nor have a text. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - RETENTION_MS);

/** Clears the texts of a batch of old steps; prompt versions and token counts are kept. @returns how many */
export function clearOldStepTexts(tx: Transaction, now: Date, size: number): Promise<number> {
  const until = keptSince(now);
  const where = sql.fragment`num_nonnulls(prompt, answer) > 0`;
  const batch = { table: 'pipeline_steps', by: 'created_at', until, where, size };
  return tx.exec(statement`update pipeline_steps set prompt = null, answer = null where ${inBatch(batch)}`);
}
