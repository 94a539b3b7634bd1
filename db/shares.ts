import { FairSemaphore, NoPermit } from '../runtime/fair-semaphore.ts';
import { DatabaseBusy } from './failures.ts';

/** Whose work a statement or transaction is. */
export interface Tenant {
  readonly siteId: string;
  readonly organisationId: string;
}

/** Runs work on a connection of a tenant's share. */
export type WithinShare = <T>(tenant: Tenant, work: () => Promise<T>) => Promise<T>;

/** A Site's calls that may wait, and all; and for how long. */
const WAITING_OF_SITE = 200;
const WAITING = 2_000;
const LONGEST_WAIT_MS = 5_000;

/**
 * Shares the connections of a pool among organisations and their Sites, for reads and writes alike: no Site holds more
 * than a quarter of them, and no organisation more than half. The last quarter is left for organisations that hold none, so
 * that whatever the others do, a read finds a connection (docs/decisions/0135).
 *
 * @param connections of the pool
 * @returns runs work when its Site and its organisation have a free connection
 * @throws DatabaseBusy if too many already wait, or after a wait of 5 s; the work has not started then
 */
export function createShares(connections: number): WithinShare {
  const part = (divisor: number): number => Math.max(1, Math.floor(connections / divisor));
  const waits = { waiting: WAITING, longestWaitMs: LONGEST_WAIT_MS };
  const sites = new FairSemaphore({
    ...waits,
    permits: Infinity,
    tenantPermits: part(4),
    tenantWaiting: WAITING_OF_SITE,
  });
  const organisations = new FairSemaphore({
    ...waits,
    permits: connections,
    tenantPermits: part(2),
    reserved: Math.floor(connections / 4),
    // Its Sites' own shares bound how many come here.
    tenantWaiting: WAITING,
  });
  return async ({ siteId, organisationId }, work) => {
    const releaseSite = await sites.acquire(siteId).catch(refuse);
    try {
      const releaseOrganisation = await organisations.acquire(organisationId).catch(refuse);
      try {
        return await work();
      } finally {
        releaseOrganisation();
      }
    } finally {
      releaseSite();
    }
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof NoPermit)) throw error;
  const message = error.waited
    ? 'No connection of this Site or organisation became free in time'
    : 'Too much work of this Site or organisation waits for a connection';
  throw new DatabaseBusy(message, { cause: error });
}
