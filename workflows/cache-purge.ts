import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { CachePurgeActivities } from '../activities/cache-purge.ts';

const { purgeCache } = proxyActivities<CachePurgeActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Purges stale URLs from the cache, retrying until it accepts. Started only if the request could not do it. */
export async function cachePurge({ purgeId }: { readonly purgeId: string }): Promise<void> {
  setCurrentDetails('purging stale URLs from the cache, until it accepts');
  await purgeCache(purgeId);
}
