import type { Transaction } from '../../db/transaction.ts';
import type { Queryable } from '../../db/statements.ts';
import { at, sql, statement } from '../../db/sql.ts';
import { z } from 'zod';

const requestsRow = z.object({ requests: z.number() });

/** Requests permitted in a window, per key or (auth and keyless requests) per client address (specification, Limits). */
export const rateLimits = {
  read: 600,
  write: 120,
  upload: 60,
  pipeline: 10,
  auth: 60,
  keyless: 600,
} as const;

export type RateClass = keyof typeof rateLimits;

const WINDOW_MS = 60_000;

/** The start of the fixed one-minute window that a moment lies in; windows are aligned to the minute. */
const windowStart = (now: Date): Date => new Date(Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS);

export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
  /** Whole seconds until then, at least 1. */
  readonly retryAfter: number;
}

/** The figures of a window after `requests` requests in it. */
export function rateLimitState(rateClass: RateClass, requests: number, now: Date): RateLimitState {
  const limit = rateLimits[rateClass];
  const end = windowStart(now).getTime() + WINDOW_MS;
  return {
    limit,
    remaining: Math.max(0, limit - requests),
    reset: end / 1000,
    exceeded: requests > limit,
    retryAfter: secondsLeft(now),
  };
}

/** Whole seconds until the window of a moment ends, at least 1. */
export const secondsLeft = (now: Date): number =>
  Math.max(1, Math.ceil((windowStart(now).getTime() + WINDOW_MS - now.getTime()) / 1000));

/**
 * The counting part of a statement: takes subject, class and number of requests from `source`, gives the count
 * of the window with them. One row a subject and class, so that nothing grows; a clock that lags behind another
 * process's counts in the newer window.
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

/** Counts a request without a usable key against its client's address. */
export async function countByAddress(
  db: Queryable,
  address: string,
  rateClass: 'keyless' | 'auth',
  now: Date,
): Promise<RateLimitState> {
  const { requests } = await db.one(sql.type(requestsRow)`
    ${countRequests(sql.fragment`select ${`ip:${address}`}::text as subject, ${rateClass as string}::text as class, 1 as requests`, now)}
  `);
  return rateLimitState(rateClass, requests, now);
}

/** Deletes counters whose last window is long over (addresses come and go), a batch at a time. @returns how many */
export function deleteIdleCounters(tx: Transaction, now: Date, batch: number): Promise<number> {
  return tx.exec(statement`
    delete from rate_limit_counters where ctid = any(array(
      select ctid from rate_limit_counters where window_start < ${at(new Date(now.getTime() - 60 * WINDOW_MS))}
      order by window_start limit ${batch} for update skip locked
    ))`);
}
