import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Clock } from '../domain/clock.ts';
import { findDoomed, findForgottenObjects, forgetDoomed } from '../domain/media/doomed-objects.ts';
import {
  findForgottenReservations,
  forgetReservation,
  publicKey,
  readReservation,
  uploadKey,
} from '../domain/media/reservation.ts';
import type { Reservation } from '../domain/media/reservation.ts';
import { repaired } from '../metrics/repairs.ts';
import type { ObjectStore } from '../storage/objects.ts';
import { publicTypes } from '../storage/inspect-image.ts';

/** How long a process may be late before it counts as lost. */
const FORGOTTEN_MS = 60 * 60_000;
/** What is taken up of that in one run: each is a few requests to storage. */
const AT_ONCE = 50;

export interface SweepingPorts {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The side effects that keep storage free of what no row names. Deleting twice does no harm. */
export const createSweepingActivities = ({ db, objects, clock, log }: SweepingPorts) => {
  async function sweep(reservation: Reservation): Promise<void> {
    await objects.remove(uploadKey(reservation));
    if (reservation.status !== 'registered') {
      for (const extension of Object.keys(publicTypes))
        await objects.remove(publicKey(reservation, extension));
    }
    await forgetReservation(db, reservation.id);
  }

  async function remove(objectId: string): Promise<void> {
    const key = await findDoomed(db, objectId);
    if (key === null) return;
    await objects.remove(key);
    await forgetDoomed(db, objectId);
  }

  return {
    /** Until when an upload can be registered, ISO 8601; null for one that does not exist. */
    async readUploadExpiry(uploadId: string): Promise<string | null> {
      return (await readReservation(db, uploadId))?.expires_at.toISOString() ?? null;
    },

    /**
     * Deletes what an expired upload left, and forgets it. Where it was never registered, that may be a public copy
     * as well: of a registration that died between the copy and its commit.
     */
    async sweepUpload(uploadId: string): Promise<void> {
      const reservation = await readReservation(db, uploadId);
      if (reservation !== null) await sweep(reservation);
    },

    /** Deletes the bytes of a row that is gone. */
    removeObject: remove,

    /**
     * Does what a process should have done an hour ago; ends early while storage is away.
     *
     * @returns how many; above zero is a defect, or an outage just over
     */
    async sweepForgotten(): Promise<number> {
      const before = new Date(clock.now().getTime() - FORGOTTEN_MS);
      const uploads = await findForgottenReservations(db, before, AT_ONCE);
      const doomed = await findForgottenObjects(db, before, AT_ONCE);
      let swept = 0;
      try {
        for (const upload of uploads) {
          await sweep(upload);
          swept += 1;
        }
        for (const id of doomed) {
          await remove(id);
          swept += 1;
        }
      } catch (error) {
        log.warn({ err: error as Error }, 'what was forgotten in storage could not be deleted yet');
      }
      repaired('object', swept);
      if (swept > 0) log.warn({ swept }, 'uploads or bytes were forgotten in storage and have been swept');
      return swept;
    },
  };
};

export type SweepingActivities = ReturnType<typeof createSweepingActivities>;
