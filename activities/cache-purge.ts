import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../db/database.ts';
import { cachePurges } from '../domain/purge.ts';
import type { CachePurger } from '../domain/purge.ts';

const TIMEOUT_MS = 10_000;

export const createCachePurgeActivities = ({ db, purger }: { db: Database; purger: CachePurger | null }) => ({
  /** Does a pending purge of the cache. Idempotent. */
  async purgeCache(purgeId: string): Promise<void> {
    await cachePurges.perform(db, purgeId, async (urls) => {
      if (purger !== null && !(await purger.purge(urls, TIMEOUT_MS)))
        throw ApplicationFailure.create({
          message: 'The cache did not accept the purge',
          type: 'PurgeRefused',
        });
    });
  },
});

export type CachePurgeActivities = ReturnType<typeof createCachePurgeActivities>;
