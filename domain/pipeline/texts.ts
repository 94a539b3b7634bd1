import type { Transaction } from '../../db/transaction.ts';
import { at, statement } from '../../db/sql.ts';

/** For how long it can be looked up what the writer was asked, and said: as long as events are kept. */
const RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Takes the texts out of old steps, a batch at a time; which prompt and how many tokens stay. @returns of how many */
export function forgetOldTexts(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    update pipeline_steps set prompt = null, answer = null
    where ctid = any(array(
      select ctid from pipeline_steps
      where num_nonnulls(prompt, answer) > 0 and created_at <= ${at(new Date(now.getTime() - RETENTION_MS))}
      order by created_at limit ${batch} for update skip locked
    ))`);
}
