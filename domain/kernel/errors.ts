import { MISTAKES } from '../../packages/base/mistakes.ts';
import type { FieldMessages } from '../../packages/base/mistakes.ts';
import type { NoPermit } from '../../runtime/fair-semaphore.ts';

/**
 * Every error code with its usual status (docs/spec/service-api.md, Errors; the set is closed by
 * docs/spec/rulings.md, 1).
 */
export const errorStatus = {
  INVALID_REQUEST: 400,
  INVALID_API_KEY: 401,
  API_KEY_REVOKED: 401,
  API_KEY_EXPIRED: 401,
  NOT_ENTITLED: 402,
  INSUFFICIENT_CREDITS: 402,
  SPEND_CAP_REACHED: 402,
  INSUFFICIENT_SCOPE: 403,
  AGENT_ACCESS_DISABLED: 403,
  APPROVAL_DENIED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  COMMENTS_DISABLED: 404,
  PARENT_NOT_FOUND: 404,
  SLUG_CONFLICT: 409,
  IDEMPOTENCY_KEY_CONFLICT: 409,
  IDEMPOTENCY_KEY_IN_FLIGHT: 409,
  CONFLICT: 409,
  APPROVAL_INVALID: 409,
  PREREQUISITE_MISSING: 409,
  FEATURE_UNAVAILABLE: 409,
  PRECONDITION_FAILED: 412,
  VALIDATION_FAILED: 422,
  COMMENTS_CLOSED: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  MAINTENANCE: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;

export interface ErrorDetails {
  /**
   * Only if it differs from the code's usual status: 405, 413 and 415 are INVALID_REQUEST (docs/spec/rulings.md, 1).
   */
  readonly status?: number;
  readonly fields?: FieldMessages;
  /** The comment limit that was reached. */
  readonly limit?: 'reader' | 'site' | 'queue';
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The only error that becomes an error answer; everything else that is thrown is a 500. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: FieldMessages | undefined;
  readonly limit: ErrorDetails['limit'];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status ?? errorStatus[code];
    this.fields = details.fields;
    this.limit = details.limit;
    this.headers = details.headers ?? {};
  }
}

export const invalidRequest = (message: string, details?: ErrorDetails): ServiceError =>
  new ServiceError('INVALID_REQUEST', message, details);

/**
 * The same answer for a missing object and for one of another Site
 * (docs/spec/service-api.md, What the service does, rule 2).
 */
export const notFound = (what: string): ServiceError =>
  new ServiceError('NOT_FOUND', `There is no such ${what}. Check the id; it may have been deleted.`);

export const conflict = (message: string): ServiceError => new ServiceError('CONFLICT', message);

const BUSY_SECONDS = 5;

/** @param retryAfter seconds */
export const underMaintenance = (retryAfter: number): ServiceError =>
  new ServiceError('MAINTENANCE', `Writes are paused for maintenance. Try again in ${retryAfter} seconds.`, {
    headers: { 'Retry-After': String(retryAfter) },
  });

/** For work, including reads, that contention kept from completing in time. Nothing was written. */
export const outOfTime = (cause: unknown): ServiceError =>
  new ServiceError(
    'MAINTENANCE',
    `This could not be done in time, because the service is very busy; nothing was changed. Try again in ${BUSY_SECONDS} seconds, with the same Idempotency-Key if you sent one.`,
    { headers: { 'Retry-After': String(BUSY_SECONDS) }, cause },
  );

/** For work that failed because a server that Presswork depends on is away. */
export const unavailable = (cause: unknown): ServiceError =>
  new ServiceError(
    'MAINTENANCE',
    `The service cannot do this at the moment. Try again in ${BUSY_SECONDS} seconds, with the same Idempotency-Key if you sent one.`,
    { headers: { 'Retry-After': String(BUSY_SECONDS) }, cause },
  );

/**
 * For work that got no place. Only if more calls of one tenant wait than may is that the client's doing, which can ask for
 * less at a time; how long a call waits depends on the machine.
 *
 * @param tooMany says what there is too much of, and what would be right
 * @param retryAfter seconds
 */
export const noPlace = (cause: NoPermit, tooMany: string, retryAfter: number): ServiceError =>
  cause.ownShare && !cause.waited
    ? new ServiceError('RATE_LIMIT_EXCEEDED', tooMany, {
        headers: { 'Retry-After': String(retryAfter) },
        cause,
      })
    : unavailable(cause);

/** For a defect: it says nothing of the inside, which the log does. */
export const internalError = (): ServiceError =>
  new ServiceError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. Try again, with the same Idempotency-Key if you sent one, and report the request_id if the error persists.',
  );

export const validationFailed = (mistakes: FieldMessages): ServiceError => {
  const fields = Object.fromEntries(Object.entries(mistakes).slice(0, MISTAKES));
  const names = Object.keys(fields);
  const noun = names.length === 1 ? 'a value that cannot' : 'values that cannot';
  return new ServiceError(
    'VALIDATION_FAILED',
    `The request has ${noun} be accepted: ${names.slice(0, 10).join(', ')}.`,
    { fields },
  );
};
