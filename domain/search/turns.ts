import type { Database } from '../../db/database.ts';
import { ranOutOfTime } from '../../db/failures.ts';
import type { Queryable } from '../../db/statements.ts';
import { FairSemaphore, NoPermit } from '../../runtime/fair-semaphore.ts';
import { ServiceError } from '../kernel/errors.ts';

/** How long a search may take, and how long it may wait for its turn. */
const SEARCH_MS = 1_000;
const RETRY_SECONDS = 1;

/** The searches of a process. */
const turns = new FairSemaphore({
  permits: Infinity,
  tenantPermits: 4,
  waiting: 1_000,
  tenantWaiting: 50,
  longestWaitMs: SEARCH_MS,
});

/**
 * Reads a list, which may be searched. The cost of a search depends on its words and on the texts, which strangers may
 * choose: so each has a second, and a Site does four at once (docs/spec/rulings.md, 27).
 *
 * @param q the search, if there is one
 * @param list gets what aborts its statements when the second is over
 * @throws ServiceError MAINTENANCE for a search that takes longer, or has no turn in time
 */
export async function searchInTurn<T>(
  db: Database,
  siteId: string,
  q: string | undefined,
  list: (db: Queryable) => Promise<T>,
): Promise<T> {
  if (q === undefined) return list(db);
  try {
    return await turns.run(siteId, () => list(db.until(performance.now() + SEARCH_MS)));
  } catch (error) {
    throw error instanceof NoPermit || ranOutOfTime(error) ? tooSlow(error) : error;
  }
}

const tooSlow = (cause: unknown): ServiceError =>
  new ServiceError(
    'MAINTENANCE',
    `q: the search took longer than the second that it has, or too many others of this Site are running. Search for rarer words, or try again in ${RETRY_SECONDS} second.`,
    { headers: { 'Retry-After': String(RETRY_SECONDS) }, cause },
  );
