import type { Context } from 'koa';
import { clientNetwork } from '../../../domain/access/client-network.ts';
import { noPlace } from '../../../domain/kernel/errors.ts';
import { FairSemaphore, NoPermit } from '../../../runtime/fair-semaphore.ts';
import type { Release } from '../../../runtime/fair-semaphore.ts';
import { STREAMING_SOCKETS } from '../../../adapters/storage/bucket.ts';
import type { ClientAddress } from '../../http/client-address.ts';

/** The maximum number of concurrent images for one network; a browser requests about six. */
const CLIENT_SHARE = 32;
const WAIT_MS = 5_000;
const RETRY_SECONDS = 1;
const TOO_MANY = `More than ${CLIENT_SHARE} images are being downloaded from your network. Wait until some of them are complete.`;

/**
 * Waits for a slot of the client's network.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED if too many of the client's wait; MAINTENANCE if its turn does not come
 */
export type TakeSlot = (ctx: Context, gone: AbortSignal) => Promise<Release>;

/** Limits the images that a process sends at once. Each takes a connection to storage and about 100 KB of buffers. */
export function createImageSlots(clientAddress: ClientAddress): TakeSlot {
  const slots = new FairSemaphore({
    permits: STREAMING_SOCKETS,
    tenantPermits: CLIENT_SHARE,
    waiting: 1_024,
    tenantWaiting: 256,
    longestWaitMs: WAIT_MS,
  });
  return ({ req }, gone) => slots.acquire(clientNetwork(clientAddress(req)), { signal: gone }).catch(refuse);
}

function refuse(error: unknown): never {
  throw error instanceof NoPermit ? noPlace(error, TOO_MANY, RETRY_SECONDS) : error;
}
