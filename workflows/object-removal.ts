import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ObjectRemovalActivities } from '../activities/object-removal.ts';

const { removeObject } = proxyActivities<ObjectRemovalActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

/** Deletes an object from storage, retrying until it is gone. Started only if the request could not do it. */
export async function objectRemoval({ objectId }: { readonly objectId: string }): Promise<void> {
  setCurrentDetails('deleting an object from storage, until storage answers');
  await removeObject(objectId);
}
