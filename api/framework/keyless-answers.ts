import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { clientNetwork } from '../../domain/access/client-network.ts';
import { rateLimitState } from '../../domain/access/rate-limits.ts';
import { refuseTooMany, setRateLimit } from './rate-limit.ts';
import type { Ports } from './ports.ts';

/**
 * Counts a request that needs no key (a public file, the documentation, a probe) against its client's address, and sets
 * the RateLimit headers.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export type CountKeylessAnswer = (ctx: Context) => void;

/** The maximum number of counted clients, about 10 MB. The least recently seen client is dropped first. */
const CLIENTS = 50_000;

/**
 * Creates the count that is shared by all keyless answers of a process. It is kept in memory, so that probes work
 * without the database and an image costs no write (docs/decisions/0135).
 */
export function createKeylessAnswers({
  clock,
  clientAddress,
}: Pick<Ports, 'clock' | 'clientAddress'>): CountKeylessAnswer {
  const counts = new LRUCache<string, number>({ max: CLIENTS });
  let window = 0;
  return (ctx) => {
    const now = clock.now();
    const { reset } = rateLimitState('public', 0, now);
    if (reset !== window) {
      counts.clear();
      window = reset;
    }
    const client = clientNetwork(clientAddress(ctx.req));
    const requests = (counts.get(client) ?? 0) + 1;
    counts.set(client, requests);
    const state = rateLimitState('public', requests, now);
    setRateLimit(ctx, state);
    refuseTooMany(state);
  };
}
