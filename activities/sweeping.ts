import type { Database } from '../db/database.ts';
import { findDoomed, forgetDoomed } from '../domain/media/doomed-objects.ts';
import { publicKey, readReservation, uploadKey } from '../domain/media/reservation.ts';
import type { ObjectStore } from '../storage/objects.ts';
import { publicTypes } from '../storage/inspect-image.ts';

export interface SweepingPorts {
  readonly db: Database;
  readonly objects: ObjectStore;
}

/** The side effects that keep storage free of what no row names. Deleting twice does no harm. */
export const createSweepingActivities = ({ db, objects }: SweepingPorts) => ({
  /** Until when an upload can be registered, ISO 8601; null for one that does not exist. */
  async readUploadExpiry(uploadId: string): Promise<string | null> {
    return (await readReservation(db, uploadId))?.expires_at.toISOString() ?? null;
  },

  /**
   * Deletes what an expired upload left. Where it was never registered, that may be a public copy as well: of
   * a registration that died between the copy and its commit.
   */
  async sweepUpload(uploadId: string): Promise<void> {
    const reservation = await readReservation(db, uploadId);
    if (reservation === null) return;
    await objects.remove(uploadKey(reservation));
    if (reservation.status === 'registered') return;
    for (const extension of Object.keys(publicTypes)) await objects.remove(publicKey(reservation, extension));
  },

  /** Deletes the bytes of a row that is gone. */
  async removeObject(objectId: string): Promise<void> {
    const key = await findDoomed(db, objectId);
    if (key === null) return;
    await objects.remove(key);
    await forgetDoomed(db, objectId);
  },
});

export type SweepingActivities = ReturnType<typeof createSweepingActivities>;
