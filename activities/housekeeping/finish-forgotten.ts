import { findOverdueGraces, retireSecrets } from '../../domain/access/key-graces.ts';
import { closeTry, findForgottenTries } from '../../domain/pipeline/prompt-tries.ts';
import { cachePurges } from '../../domain/purge/purge.ts';
import { repaired } from '../../observability/metrics/repairs.ts';
import { createCachePurgeActivities } from '../cache-purge.ts';
import type { Ports } from '../ports.ts';

/** Longer than a model may take for an answer. */
const TRY_MS = 2 * 60 * 60_000;
/** How late a workflow may be before it counts as lost. A cache that refuses is retried every 5 minutes. */
const FORGOTTEN_MS = 60 * 60_000;
/** Limits per run. The time leaves room for one more purge within the activity's minute. */
const BATCH = 50;
const BUDGET_MS = 20_000;

/** Does the work of lost workflows, for example after Temporal or the database was restored from a backup. */
export const createFinishForgottenActivities = ({
  db,
  clock,
  log,
  purger,
}: Pick<Ports, 'db' | 'clock' | 'log' | 'purger'>) => {
  const purging = createCachePurgeActivities({ db, purger });
  return {
    /**
     * Does the work that a workflow should have done an hour ago: cache purges, and retiring secrets whose grace period is over; and
     * refund tries of prompts whose process was lost.
     * Ends early if the cache refuses.
     *
     * @returns how many; above zero means a defect or a recent outage
     */
    async finishForgotten(): Promise<number> {
      const now = clock.now();
      const end = performance.now() + BUDGET_MS;
      const before = new Date(now.getTime() - FORGOTTEN_MS);
      let secrets = 0;
      for (const { key_id: keyId } of await findOverdueGraces(db, before, BATCH))
        if (await retireSecrets(db, keyId, now)) secrets += 1;
      let purges = 0;
      try {
        for (const id of await cachePurges.findOverdue(db, before, BATCH)) {
          if (performance.now() > end) break;
          await purging.purgeCache(id);
          purges += 1;
        }
      } catch (error) {
        log.warn({ err: error as Error }, 'a lost cache purge could not be done yet');
      }
      const lost = await findForgottenTries(db, new Date(now.getTime() - TRY_MS), BATCH);
      for (const each of lost) await db.transaction((tx) => closeTry(tx, each, 0, now));
      repaired('prompt_try', lost.length);
      repaired('key_rotation', secrets);
      repaired('cache_purge', purges);
      const finished = secrets + purges + lost.length;
      if (finished > 0) log.warn({ secrets, purges, tries: lost.length }, 'lost work has been finished');
      return finished;
    },
  };
};

export type FinishForgottenActivities = ReturnType<typeof createFinishForgottenActivities>;
