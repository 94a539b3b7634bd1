import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Clock } from '../domain/clock.ts';
import { destroyOldSalts } from '../domain/comments/reader.ts';
import { sweepSpam } from '../domain/comments/remove.ts';
import { checkCounts, isOff } from '../domain/comments/site-comments.ts';
import { deleteOldSubmissions } from '../domain/comments/submission-log.ts';
import { repaired } from '../metrics/repairs.ts';
import { inBatches } from './batches.ts';

/** Threads that one transaction deletes, so that no Site's readers wait for long. */
const THREADS = 200;
/** Transactions in one activity, so that it ends within its time. */
const BATCHES = 50;
const LOG_BATCH = 5_000;
/** Sites whose counts are held against their comments in one run. */
const SITES_CHECKED = 20;

export interface CommentingPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What comments need from time to time. Each is safe to run twice, also at once. */
export const createCommentingActivities = ({ db, clock, log }: CommentingPorts) => ({
  /**
   * Deletes spam 30 days after it was marked, in short transactions. An activity that is run again finds what is
   * left.
   *
   * @returns how many comments are gone, and whether there may be more
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

  /**
   * Destroys what told readers apart once no limit needs it, and holds each Site's counts against its comments once
   * a day. What is off is a defect.
   *
   * @returns how many Sites had counts that were off
   */
  async keepComments(): Promise<number> {
    await inBatches(db, LOG_BATCH, (tx) => deleteOldSubmissions(tx, clock.now(), LOG_BATCH));
    await db.transaction((tx) => destroyOldSalts(tx, clock.now()));
    let off = 0;
    for (let site = 0; site < SITES_CHECKED; site += 1) {
      const drift = await db.transaction((tx) => checkCounts(tx, clock.now()));
      if (drift === null) break;
      if (!isOff(drift)) continue;
      off += 1;
      log.warn({ drift }, 'the comment counts kept of a Site were off, and have been set right');
    }
    repaired('comment_counts', off);
    return off;
  },
});

export type CommentingActivities = ReturnType<typeof createCommentingActivities>;
