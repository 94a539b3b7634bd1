import { noPlace } from '../../domain/kernel/errors.ts';
import { tenantOf } from '../../domain/organisations/tenant.ts';
import { FairSemaphore, NoPermit } from '../../runtime/fair-semaphore.ts';

const RETRY_SECONDS = 10;

/**
 * Makes the function that runs tests of other systems, a few at the same time in this process, and one of an organisation.
 *
 * @param what is tested
 * @returns a function that throws ServiceError RATE_LIMIT_EXCEEDED if too many of the organisation's wait, MAINTENANCE if
 *   its turn does not come
 */
export function testTurns(what: string, permits: number) {
  const turns = new FairSemaphore({
    permits,
    tenantPermits: 1,
    waiting: 20,
    tenantWaiting: 2,
    longestWaitMs: 5_000,
  });
  const tooMany = `Other ${what} of this organisation are being tested. Try again in ${RETRY_SECONDS} seconds.`;
  return async <Result>(siteId: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await turns.run(tenantOf(siteId), work);
    } catch (error) {
      throw error instanceof NoPermit ? noPlace(error, tooMany, RETRY_SECONDS) : error;
    }
  };
}
