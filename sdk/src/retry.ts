import type { PressworkError } from './error.ts';

/** A try that failed. */
export interface Failure {
  readonly error: PressworkError;
  /** Its number, from 1. */
  readonly attempt: number;
  /** Whether it cannot be done twice: a GET, or a write with an idempotency key. */
  readonly repeatable: boolean;
  /** Since the first try, in milliseconds. */
  readonly elapsedMs: number;
}

export interface RetryLimits {
  readonly maxRetries: number;
  readonly maxElapsedMs: number;
}

const FIRST_MS = 500;
const LONGEST_MS = 8_000;

/** @returns milliseconds to wait before the next try; null to give up */
export function retryWithin({ maxRetries, maxElapsedMs }: RetryLimits): (failure: Failure) => number | null {
  return ({ error, attempt, repeatable, elapsedMs }) => {
    if (!repeatable || !isTemporary(error) || attempt > maxRetries) return null;
    // Half of it is random, so that clients that failed together do not return together.
    const backOff = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
    const wait = Math.max(backOff, (error.retryAfter ?? 0) * 1_000);
    return elapsedMs + wait > maxElapsedMs ? null : wait;
  };
}

/** Whether the same request may succeed later. */
export const isTemporary = ({ status, code }: PressworkError): boolean =>
  code === 'CONNECTION_FAILED' ||
  code === 'TIMEOUT' ||
  code === 'IDEMPOTENCY_KEY_IN_FLIGHT' ||
  status === 429 ||
  status >= 500;
