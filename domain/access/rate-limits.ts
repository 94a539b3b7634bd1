import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql } from '../../db/sql.ts';
import { z } from 'zod';
import { deleteBatch } from '../kernel/batch.ts';
import { clientNetwork } from './client-network.ts';

const requestsRow = z.object({ requests: z.number() });

/**
 * Requests allowed in a window, by key or by client address: `auth`; `keyless` for requests without a usable key;
 * `public` for answers that need no key (docs/spec/service-api.md, Limits; docs/spec/rulings.md, 14).
 */
export const rateLimits = {
  read: 600,
  write: 120,
  upload: 60,
  pipeline: 10,
  auth: 60,
  keyless: 600,
  public: 6_000,
} as const;

export type RateClass = keyof typeof rateLimits;

const WINDOW_MS = 60_000;

/** The start of the fixed one-minute window that contains a moment. */
const windowStart = (now: Date): Date => new Date(Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS);

export interface RateLimitState {
  /** Whose limit it is, if it is not that of a key or an address. */
  readonly of: 'Site' | 'organisation' | undefined;
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfter: number;
}

/** How many times the limits of a key a Site and an organisation have, each with all of its keys. */
export const SITE_LIMITS = 10;
export const ORGANISATION_LIMITS = 20;

/** The state of a window after `requests` requests. @param above a limit above that of a key or an address */
export function rateLimitState(
  rateClass: RateClass,
  requests: number,
  now: Date,
  { times = 1, of }: { readonly times?: number; readonly of?: RateLimitState['of'] } = {},
): RateLimitState {
  const limit = rateLimits[rateClass] * times;
  const end = windowStart(now).getTime() + WINDOW_MS;
  return {
    limit,
    remaining: Math.max(0, limit - requests),
    reset: end / 1000,
    exceeded: requests > limit,
    of,
    retryAfter: secondsLeft(now),
  };
}

/** Whole seconds until the window of a moment ends, at least 1. */
export const secondsLeft = (now: Date): number =>
  Math.max(1, Math.ceil((windowStart(now).getTime() + WINDOW_MS - now.getTime()) / 1000));

/**
 * The counting part of a statement: takes subject, class and number of requests from `source`, and returns the new
 * count of the window. Each subject and class has one row, so the table does not grow with time. A process whose clock
 * lags behind counts in the newer window.
 */
export const countRequests = (
  source: ReturnType<typeof sql.fragment>,
  now: Date,
): ReturnType<typeof sql.fragment> =>
  sql.fragment`
    insert into rate_limit_counters as c (subject, class, window_start, requests)
    select s.subject, s.class, ${at(windowStart(now))}::timestamptz, s.requests from (${source}) s
    on conflict (subject, class) do update set
      requests = case when c.window_start < excluded.window_start then excluded.requests
        else c.requests + excluded.requests end,
      window_start = greatest(c.window_start, excluded.window_start)
    returning subject, class, requests
  `;

/** Counts a request without a usable key for its client address. */
export async function countByAddress(
  db: Queryable,
  address: string,
  rateClass: 'keyless' | 'auth',
  now: Date,
): Promise<RateLimitState> {
  const { requests } = await db.one(sql.type(requestsRow)`
    ${countRequests(sql.fragment`select ${`ip:${clientNetwork(address)}`}::text as subject, ${rateClass as string}::text as class, 1 as requests`, now)}
  `);
  return rateLimitState(rateClass, requests, now);
}

/** Deletes a batch of counters whose last window ended long ago, such as those of old addresses. @returns how many */
export function deleteIdleCounters(tx: Transaction, now: Date, size: number): Promise<number> {
  const until = new Date(now.getTime() - 60 * WINDOW_MS);
  return deleteBatch(tx, { table: 'rate_limit_counters', by: 'window_start', until, size });
}
