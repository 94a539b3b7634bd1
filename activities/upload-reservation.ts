import { findObjectKey } from '../domain/media/asset.ts';
import { removeReservation, publicKey, readReservation, uploadKey } from '../domain/media/reservation.ts';
import type { Reservation } from '../domain/media/reservation.ts';
import { publicTypes } from '../adapters/images/image-types.ts';
import type { Ports } from './ports.ts';

/** The side effects of an upload's reservation. Deleting twice does no harm. */
export const createUploadReservationActivities = ({ db, objects }: Pick<Ports, 'db' | 'objects'>) => ({
  /** Until when an upload can be registered, ISO 8601; null if it does not exist. */
  async readUploadExpiry(uploadId: string): Promise<string | null> {
    return (await readReservation(db, uploadId))?.expires_at.toISOString() ?? null;
  },

  /** Deletes the object of an expired upload, then its row. */
  async sweepUpload(uploadId: string): Promise<void> {
    const reservation = await readReservation(db, uploadId);
    if (reservation !== null) await sweepReservation({ db, objects }, reservation);
  },
});

export type UploadReservationActivities = ReturnType<typeof createUploadReservationActivities>;

/**
 * Deletes an upload, the public copies that are no asset's, and its row: a registration that died between the copy and
 * its commit leaves one, as does one whose upload was replaced by an image of another type.
 */
export async function sweepReservation(
  { db, objects }: Pick<Ports, 'db' | 'objects'>,
  reservation: Reservation,
): Promise<void> {
  await objects.remove(uploadKey(reservation));
  const registered = await findObjectKey(db, reservation.id);
  for (const extension of Object.keys(publicTypes)) {
    const copy = publicKey(reservation, extension);
    if (copy !== registered) await objects.remove(copy);
  }
  await removeReservation(db, reservation.id);
}
