import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { PurgingActivities } from '../activities/purging.ts';

export interface CachePurgeInput {
  readonly purgeId: string;
  readonly siteId: string;
}

const { purgeCache } = proxyActivities<PurgingActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Tells the cache of stale addresses until it has been told; starts only where the request itself could not. */
export async function cachePurge({ purgeId }: CachePurgeInput): Promise<void> {
  setCurrentDetails('telling the cache which addresses are stale, until it answers');
  await purgeCache(purgeId);
}
