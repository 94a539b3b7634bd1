import { performance } from 'node:perf_hooks';
import { ApplicationFailure } from '@temporalio/activity';
import type { Database } from '../db/database.ts';
import { findDeletion } from '../domain/leaving/deletion.ts';
import type { Deletion } from '../domain/leaving/deletion.ts';
import { withHeartbeat } from './heartbeat.ts';

/** Time limit of one call, well within its activity's minute. The workflow calls again. */
const BUDGET_MS = 20_000;

/** Whether there may be more to do. */
export interface Progress {
  readonly more: boolean;
}

/** Repeats `work`, which returns how much it did, until that is nothing or the time is up. */
export const inBudget = (work: () => Promise<number>): Promise<Progress> =>
  withHeartbeat(async () => {
    const end = performance.now() + BUDGET_MS;
    for (;;) {
      if ((await work()) === 0) return { more: false };
      if (performance.now() > end) return { more: true };
    }
  });

/**
 * @throws ApplicationFailure that ends the workflow if there is no request to delete: somebody started it by hand, or the
 *   database was restored to an earlier moment
 */
export async function requireAsked(db: Database, targetId: string, kind: Deletion['kind']): Promise<void> {
  const deletion = await findDeletion(db, targetId);
  if (deletion?.kind !== kind)
    throw ApplicationFailure.nonRetryable(
      `Nobody asked for the deletion of a ${kind} ${targetId}`,
      'NotAsked',
    );
}
