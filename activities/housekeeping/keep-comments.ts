import { destroyOldSalts } from '../../domain/comments/reader.ts';
import { checkCounts, isOff } from '../../domain/comments/site-comments.ts';
import { deleteOldSubmissions } from '../../domain/comments/submission-log.ts';
import { repaired } from '../../observability/metrics/repairs.ts';
import { inBatches } from '../batches.ts';
import type { Ports } from '../ports.ts';

const BATCH = 5_000;
/** Sites whose counts are compared with their comments in one run. */
const SITES_CHECKED = 20;

export const createKeepCommentsActivities = ({ db, clock, log }: Pick<Ports, 'db' | 'clock' | 'log'>) => ({
  /**
   * Deletes the hashes of readers once no rate limit needs it, and compares each Site's counts with its comments
   * once a day. A difference is a defect.
   *
   * @returns how many Sites had wrong counts
   */
  async keepComments(): Promise<number> {
    await inBatches(db, BATCH, (tx) => deleteOldSubmissions(tx, clock.now(), BATCH));
    await db.transaction((tx) => destroyOldSalts(tx, clock.now()));
    let wrong = 0;
    for (let site = 0; site < SITES_CHECKED; site += 1) {
      const drift = await db.transaction((tx) => checkCounts(tx, clock.now()));
      if (drift === null) break;
      if (!isOff(drift)) continue;
      wrong += 1;
      log.warn({ drift }, 'the stored comment counts of a Site were wrong and have been corrected');
    }
    repaired('comment_counts', wrong);
    return wrong;
  },
});

export type KeepCommentsActivities = ReturnType<typeof createKeepCommentsActivities>;
