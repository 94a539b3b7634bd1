import { FairSemaphore, NoPermit } from '../../runtime/fair-semaphore.ts';
import { clientNetwork } from '../access/client-network.ts';
import { noPlace } from '../kernel/errors.ts';

/** How many password checks may wait; each takes tens of milliseconds. */
export const WAITING_LIMIT = 50;
/** How many checks of one network may wait: as many as it may attempt in a minute (attempts.ts). */
export const WAITING_OF_NETWORK = 20;

const TOO_MANY = 'Too many people of your network are signing in at this moment. Try again in 5 seconds.';
const RETRY_SECONDS = 5;

/** Concurrent checks in a process: each takes a core, and a thread that file access and name resolution also need. */
export const passwordChecks = new FairSemaphore({
  permits: 1,
  tenantPermits: 1,
  waiting: WAITING_LIMIT,
  tenantWaiting: WAITING_OF_NETWORK,
  longestWaitMs: 15_000,
});

/**
 * Checks passwords one at a time; the networks of clients take turns.
 *
 * @param clientAddress of the person who signs in
 * @param gone aborted when the result is no longer needed: the check then leaves the queue
 * @throws ServiceError RATE_LIMIT_EXCEEDED if too many of the network wait, MAINTENANCE if too many of all do, or if the
 *   wait is too long; the signal's reason if it was aborted before the check started
 */
export async function checkInTurn<T>(
  clientAddress: string,
  gone: AbortSignal,
  check: () => Promise<T>,
): Promise<T> {
  const network = clientNetwork(clientAddress);
  const release = await passwordChecks.acquire(network, { signal: gone }).catch((error: unknown) => {
    throw error instanceof NoPermit ? noPlace(error, TOO_MANY, RETRY_SECONDS) : error;
  });
  try {
    return await check();
  } finally {
    release();
  }
}
