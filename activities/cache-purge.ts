import { ApplicationFailure } from '@temporalio/common';
import { nextStalePages, rememberStalePages } from '../domain/purge/stale-pages.ts';
import { cachePurges } from '../domain/purge/purge.ts';
import type { CachePurger, Purge } from '../domain/purge/purge.ts';
import type { Ports } from './ports.ts';

/** Time limits: of a call, and of all calls of one run, so that both end before the activity does. */
const TIMEOUT_MS = 10_000;
const RUN_MS = 15_000;

export const createCachePurgeActivities = ({ db, purger }: Pick<Ports, 'db' | 'purger'>) => ({
  /** Does a pending purge of the cache. Idempotent; a purge of many pages goes on where the last run ended. */
  async purgeCache(purgeId: string): Promise<void> {
    await cachePurges.perform(db, purgeId, async (target, siteId) => {
      if (purger === null) return;
      const startedAt = performance.now();
      await send(purger, target);
      for (let { pages } = target; pages !== null;) {
        if (performance.now() - startedAt > RUN_MS) throw unfinished();
        const { urls, rest } = await nextStalePages(db, siteId, pages, purger.publicUrl);
        await send(purger, { urls, keys: [] });
        if (rest !== null) await rememberStalePages(db, purgeId, rest);
        pages = rest;
      }
    });
  },
});

async function send(purger: CachePurger, purge: Purge): Promise<void> {
  if (purge.urls.length + purge.keys.length === 0) return;
  if (await purger.purge(purge, TIMEOUT_MS)) return;
  throw ApplicationFailure.create({ message: 'The cache did not accept the purge', type: 'PurgeRefused' });
}

const unfinished = (): ApplicationFailure =>
  ApplicationFailure.create({
    message: 'More pages are to be purged',
    type: 'PurgeUnfinished',
    nextRetryDelay: '1 second',
  });

export type CachePurgeActivities = ReturnType<typeof createCachePurgeActivities>;
