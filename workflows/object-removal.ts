import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepingActivities } from '../activities/sweeping.ts';

export interface ObjectRemovalInput {
  readonly objectId: string;
  readonly siteId: string;
}

const { removeObject } = proxyActivities<SweepingActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Deletes stored bytes until they are gone; starts only where the request itself could not. */
export async function objectRemoval({ objectId }: ObjectRemovalInput): Promise<void> {
  setCurrentDetails('deleting bytes from storage, until storage answers');
  await removeObject(objectId);
}
