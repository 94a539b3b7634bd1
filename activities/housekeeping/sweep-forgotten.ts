import { pendingDeletions } from '../../domain/media/pending-deletions.ts';
import { findOverdueReservations } from '../../domain/media/reservation.ts';
import { repaired } from '../../observability/metrics/repairs.ts';
import { createObjectRemovalActivities } from '../object-removal.ts';
import { sweepReservation } from '../upload-reservation.ts';
import { createStraySweep } from './stray-uploads.ts';
import type { Ports } from '../ports.ts';

/** How long a workflow may be late before it counts as lost. */
const FORGOTTEN_MS = 60 * 60_000;
/** Limit per run; each item takes a few requests to storage. */
const BATCH = 50;

/** Deletes the objects that lost workflows have left in storage. */
export const createSweepForgottenActivities = ({
  db,
  objects,
  clock,
  log,
}: Pick<Ports, 'db' | 'objects' | 'clock' | 'log'>) => {
  const sweepStrays = createStraySweep({ db, objects, clock });
  const removal = createObjectRemovalActivities({ db, objects });

  return {
    /**
     * Does the work that a workflow should have done an hour ago, and deletes stray uploads. Ends early if storage is
     * unavailable.
     *
     * @returns how many were forgotten; above zero means a defect or a recent outage
     */
    async sweepForgotten(): Promise<number> {
      const before = new Date(clock.now().getTime() - FORGOTTEN_MS);
      const uploads = await findOverdueReservations(db, before, BATCH);
      const objectIds = await pendingDeletions.findOverdue(db, before, BATCH);
      let swept = 0;
      try {
        for (const upload of uploads) {
          await sweepReservation({ db, objects }, upload);
          swept += 1;
        }
        for (const id of objectIds) {
          await removal.removeObject(id);
          swept += 1;
        }
        const deleted = await sweepStrays();
        if (deleted > 0) log.info({ deleted }, 'uploads that may not stay were deleted');
      } catch (error) {
        log.warn({ err: error as Error }, 'lost objects in storage could not be deleted yet');
      }
      repaired('object', swept);
      if (swept > 0) log.warn({ swept }, 'lost uploads or objects in storage have been deleted');
      return swept;
    },
  };
};

export type SweepForgottenActivities = ReturnType<typeof createSweepForgottenActivities>;
