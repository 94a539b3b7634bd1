import { FairSemaphore } from '../../runtime/fair-semaphore.ts';
import { LONGEST_SECONDS } from './decoding.ts';

/**
 * Turns of decoders, shared among organisations: each has one at a time, so that the slow images of one do not keep those
 * of others. A call waits until a turn that has just begun is used up, and a little longer. The uploads in memory limit
 * how many wait (api/resources/media/inspect-upload.ts).
 */
export const createTurns = (permits: number): FairSemaphore =>
  new FairSemaphore({
    permits,
    tenantPermits: 1,
    waiting: 16,
    tenantWaiting: 8,
    longestWaitMs: (LONGEST_SECONDS + 5) * 1_000,
  });
