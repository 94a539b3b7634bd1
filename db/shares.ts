import { FairSemaphore, NoPermit } from '../runtime/fair-semaphore.ts';
import { DatabaseBusy } from './failures.ts';

/**
 * Limits the writes of each Site to half of the connections. Writes that wait for locks of their own Site use no more
 * than that, so that other Sites, and all reads, keep the rest.
 *
 * @param connections of the pool
 * @returns runs work when its Site has a free connection
 * @throws DatabaseBusy if too many already wait, or after a wait of 5 s; the work has not started then
 */
export function createShares(connections: number): <T>(siteId: string, work: () => Promise<T>) => Promise<T> {
  const semaphore = new FairSemaphore({
    // The pool has its own limit, which reads share.
    permits: Infinity,
    tenantPermits: Math.max(1, Math.floor(connections / 2)),
    waiting: 2_000,
    tenantWaiting: 200,
    longestWaitMs: 5_000,
  });
  return async (siteId, work) => {
    const release = await semaphore.acquire(siteId).catch(refuse);
    try {
      return await work();
    } finally {
      release();
    }
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof NoPermit)) throw error;
  const message = error.waited
    ? 'No connection of this Site became free in time'
    : 'Too many transactions of this Site wait for a connection';
  throw new DatabaseBusy(message, { cause: error });
}
