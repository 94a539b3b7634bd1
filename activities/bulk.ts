import { Context } from '@temporalio/activity';
import { isAway, isRetryable, ranOutOfTime } from '../db/failures.ts';
import { applyItems, BATCH, failItem, findWaiting } from '../domain/bulk/apply.ts';
import type { JobState } from '../domain/bulk/apply.ts';
import { countItems } from '../domain/bulk/progress.ts';
import type { ItemTotals } from '../domain/bulk/progress.ts';
import { answerToConstraint } from '../domain/kernel/constraints.ts';
import { internalError } from '../domain/kernel/errors.ts';
import { findTenant, shareOf } from '../domain/organisations/share.ts';
import { FairSemaphore } from '../runtime/fair-semaphore.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { Ports } from './ports.ts';

/** How far a job has come. */
export interface BulkProgress extends ItemTotals {
  readonly state: JobState;
}

/** Transactions of bulk jobs at the same time in this process, and for one Site: the other connections stay free. */
const AT_ONCE = 4;
const AT_ONCE_OF_ONE = 2;
/** How long a call works before it reports, and how long it waits for its turn. Its own time-out is a minute. */
const SLICE_MS = 2_000;
const TURN_MS = 30_000;
const HEARTBEAT_MS = 1_500;

/** The side effects of bulk jobs. Each is safe to run twice: an item is stored as done together with its effect. */
export function createBulkActivities({
  db,
  clock,
  log,
  purger,
}: Pick<Ports, 'db' | 'clock' | 'log' | 'purger'>) {
  const ports = { db, purger, byWorkflow: true };
  const turns = new FairSemaphore({
    permits: AT_ONCE,
    tenantPermits: AT_ONCE_OF_ONE,
    waiting: 10_000,
    tenantWaiting: 1_000,
    longestWaitMs: TURN_MS,
  });
  const apply = async (siteId: string, jobId: string, count: number, from: number): Promise<JobState> => {
    const own = await shareOf(db, siteId);
    return own.transaction((tx) => applyItems(tx, ports, siteId, jobId, { count, from }, clock.now()));
  };

  /** Applies the next items together; one by one if that fails, so that none of them keeps the others from it. */
  async function applyNext(siteId: string, jobId: string): Promise<JobState> {
    try {
      return await apply(siteId, jobId, BATCH, 0);
    } catch (error) {
      if (isAway(error)) throw error;
      log.warn({ err: error, job_id: jobId }, 'items of a bulk job could not be applied together');
      const items = await findWaiting(db, jobId, { count: BATCH, from: 0 });
      if (items.length === 0) throw error;
      return applyAlone(siteId, jobId, items);
    }
  }

  /** @throws the error of an item that may succeed later; the others have been applied then */
  async function applyAlone(
    siteId: string,
    jobId: string,
    items: readonly { readonly position: number }[],
  ): Promise<JobState> {
    let state: JobState = 'running';
    let later: unknown;
    for (const { position } of items) {
      if (state !== 'running') break;
      try {
        state = await apply(siteId, jobId, 1, position);
      } catch (error) {
        if (isAway(error)) throw error;
        if (ranOutOfTime(error) || isRetryable(error)) {
          later = error;
          continue;
        }
        log.error({ err: error, job_id: jobId, position }, 'an item of a bulk job failed');
        const answer = answerToConstraint(error) ?? internalError();
        await (
          await shareOf(db, siteId)
        ).transaction((tx) => failItem(tx, siteId, jobId, position, answer, clock.now()));
      }
    }
    if (later !== undefined) throw later;
    return state;
  }

  return {
    /** Applies items of a job for some seconds. @returns how far the job has come */
    applyBulkItems(jobId: string, siteId: string): Promise<BulkProgress> {
      const { cancellationSignal: signal } = Context.current();
      return withHeartbeat(async () => {
        const tenant = await findTenant(db, siteId);
        const end = performance.now() + SLICE_MS;
        let state: JobState;
        do {
          state = await turns.run(tenant, () => applyNext(siteId, jobId), { signal });
        } while (state === 'running' && performance.now() < end && !signal.aborted);
        return { state, ...(await countItems(db, jobId)) };
      }, HEARTBEAT_MS);
    },
  };
}

export type BulkActivities = ReturnType<typeof createBulkActivities>;
