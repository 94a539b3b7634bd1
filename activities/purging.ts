import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../db/database.ts';
import { findPurge, forgetPurge } from '../domain/purge.ts';
import type { CachePurger } from '../domain/purge.ts';

const TIMEOUT_MS = 10_000;

export const createPurgingActivities = ({ db, purger }: { db: Database; purger: CachePurger | null }) => ({
  /** Tells the cache of a purge that is still owed. Twice does no harm: a purge is idempotent. */
  async purgeCache(purgeId: string): Promise<void> {
    const urls = await findPurge(db, purgeId);
    if (urls === null) return;
    if (purger !== null && !(await purger.purge(urls, TIMEOUT_MS))) {
      throw ApplicationFailure.create({
        message: 'The cache did not accept the purge',
        type: 'PurgeRefused',
      });
    }
    await forgetPurge(db, purgeId);
  },
});

export type PurgingActivities = ReturnType<typeof createPurgingActivities>;
