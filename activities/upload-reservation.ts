import type { Database } from '../db/database.ts';
import { removeReservation, publicKey, readReservation, uploadKey } from '../domain/media/reservation.ts';
import type { Reservation } from '../domain/media/reservation.ts';
import { publicTypes } from '../adapters/images/inspect-image.ts';
import type { ObjectStore } from '../adapters/storage/objects.ts';

export interface StoragePorts {
  readonly db: Database;
  readonly objects: ObjectStore;
}

/** The side effects of an upload's reservation. Deleting twice does no harm. */
export const createUploadReservationActivities = ({ db, objects }: StoragePorts) => ({
  /** Until when an upload can be registered, ISO 8601; null if it does not exist. */
  async readUploadExpiry(uploadId: string): Promise<string | null> {
    return (await readReservation(db, uploadId))?.expires_at.toISOString() ?? null;
  },

  /** Deletes what an expired upload left in storage, then its row. */
  async sweepUpload(uploadId: string): Promise<void> {
    const reservation = await readReservation(db, uploadId);
    if (reservation !== null) await sweepReservation({ db, objects }, reservation);
  },
});

export type UploadReservationActivities = ReturnType<typeof createUploadReservationActivities>;

/**
 * Deletes an upload and its row. If it was never registered, also deletes its public copy: a registration that died
 * between the copy and its commit leaves one.
 */
export async function sweepReservation(
  { db, objects }: StoragePorts,
  reservation: Reservation,
): Promise<void> {
  await objects.remove(uploadKey(reservation));
  if (reservation.status !== 'registered') {
    for (const extension of Object.keys(publicTypes)) await objects.remove(publicKey(reservation, extension));
  }
  await removeReservation(db, reservation.id);
}
