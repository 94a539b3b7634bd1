import type { Context } from 'koa';
import { countByAddress } from '../../domain/access/rate-limits.ts';
import type { RateLimitState } from '../../domain/access/rate-limits.ts';
import { ServiceError } from '../../domain/kernel/errors.ts';
import type { Ports } from './ports.ts';

export function setRateLimit(ctx: Context, state: RateLimitState): void {
  ctx.res.setHeader('RateLimit-Limit', state.limit);
  ctx.res.setHeader('RateLimit-Remaining', state.remaining);
  ctx.res.setHeader('RateLimit-Reset', state.reset);
}

/** @throws ServiceError RATE_LIMIT_EXCEEDED */
export function refuseTooMany({ exceeded, limit, of, retryAfter }: RateLimitState): void {
  if (!exceeded) return;
  const by = of === undefined ? '' : ` by all keys of this ${of} together`;
  throw new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `More than ${limit} requests in a minute${by}. Wait ${retryAfter} seconds, as stated in Retry-After.`,
    { headers: { 'Retry-After': String(retryAfter) } },
  );
}

/**
 * Counts a request without a valid key against its client's address, and sets the RateLimit headers.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function countClient(
  ports: Ports,
  ctx: Context,
  rateClass: 'keyless' | 'auth',
  now: Date,
): Promise<void> {
  const state = await countByAddress(ports.db, ports.clientAddress(ctx.req), rateClass, now);
  setRateLimit(ctx, state);
  refuseTooMany(state);
}
