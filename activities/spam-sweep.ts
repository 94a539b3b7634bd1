import { sweepSpam } from '../domain/comments/remove.ts';
import type { Ports } from './ports.ts';

/** Threads deleted by one transaction, so that a Site's readers never wait long. */
const THREADS = 200;
/** Transactions in one activity, so that it ends within its time-out. */
const BATCHES = 50;

export const createSpamSweepActivities = ({ db, clock }: Pick<Ports, 'db' | 'clock'>) => ({
  /**
   * Deletes spam 30 days after it was marked, in short transactions. A retry deletes the rest; two may run at once.
   *
   * @returns how many comments were deleted, and whether there may be more
   */
  async sweepSpam(): Promise<{ readonly deleted: number; readonly more: boolean }> {
    let deleted = 0;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const gone = await db.transaction((tx) => sweepSpam(tx, clock.now(), THREADS));
      if (gone === null) return { deleted, more: false };
      deleted += gone;
    }
    return { deleted, more: true };
  },
});

export type SpamSweepActivities = ReturnType<typeof createSpamSweepActivities>;
