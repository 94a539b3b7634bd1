import { removalIn } from '../adapters/storage/removal.ts';
import { pendingDeletions } from '../domain/media/pending-deletions.ts';
import type { Ports } from './ports.ts';

/** The side effect of deleting stored bytes. Deleting twice does no harm. */
export const createObjectRemovalActivities = ({ db, objects }: Pick<Ports, 'db' | 'objects'>) => ({
  /** Deletes the bytes of a deleted row. */
  async removeObject(objectId: string): Promise<void> {
    const remove = removalIn(objects);
    await pendingDeletions.perform(db, objectId, (key) => remove(key));
  },
});

export type ObjectRemovalActivities = ReturnType<typeof createObjectRemovalActivities>;
