import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { findForgottenGraces, retireSecret } from '../domain/access/key-graces.ts';
import type { Clock } from '../domain/clock.ts';
import { findForgottenPurges } from '../domain/purge.ts';
import type { CachePurger } from '../domain/purge.ts';
import { repaired } from '../metrics/repairs.ts';
import { createPurgingActivities } from './purging.ts';

/** How long a process may be late before it counts as lost; a cache that refuses is asked again each 5 minutes. */
const FORGOTTEN_MS = 60 * 60_000;
/** What is taken up in one run. */
const AT_ONCE = 50;

export interface FinishingPorts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly purger: CachePurger | null;
}

/** What is done for processes that were lost, as when Temporal or the database came back from a backup. */
export const createFinishingActivities = ({ db, clock, log, purger }: FinishingPorts) => {
  const purging = createPurgingActivities({ db, purger });
  return {
    /**
     * Does what a process should have done an hour ago: cache purges, and the mark on a secret whose grace is over.
     * Ends early while the cache refuses.
     *
     * @returns how many; above zero is a defect, or an outage just over
     */
    async finishForgotten(): Promise<number> {
      const now = clock.now();
      const before = new Date(now.getTime() - FORGOTTEN_MS);
      let finished = 0;
      for (const { key_id: keyId, rotation } of await findForgottenGraces(db, before, AT_ONCE))
        if (await retireSecret(db, keyId, rotation, now)) finished += 1;
      try {
        for (const id of await findForgottenPurges(db, before, AT_ONCE)) {
          await purging.purgeCache(id);
          finished += 1;
        }
      } catch (error) {
        log.warn({ err: error as Error }, 'a forgotten purge of the cache could not be done yet');
      }
      repaired('purge_or_grace', finished);
      if (finished > 0) log.warn({ finished }, 'purges or graces were forgotten and have been finished');
      return finished;
    },
  };
};

export type FinishingActivities = ReturnType<typeof createFinishingActivities>;
