import { PressworkError } from './error.ts';
import type { PressworkErrorDetails } from './error.ts';
import type { PendingApproval } from './generated/schemas.ts';
import { resultOf } from './result.ts';
import type { Result } from './result.ts';
import type { Failure } from './retry.ts';
import { sleep, within } from './time.ts';

/** The common part of every request of a client. */
export interface Transport {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  /** For every call without one of its own. */
  readonly signal: AbortSignal | undefined;
  /** The time to wait before the next try, in milliseconds; null to give up. */
  readonly retry: (failure: Failure) => number | null;
}

export interface Request {
  readonly method: string;
  /** Relative to the base URL, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request until it succeeds or is given up.
 *
 * @throws PressworkError, or the reason of the signal
 */
export async function send(transport: Transport, request: Request): Promise<Result<object>> {
  const { method, signal = transport.signal } = request;
  const headers = new Headers(request.headers);
  if (transport.apiKey !== undefined) headers.set('authorization', `Bearer ${transport.apiKey}`);
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  const init = {
    method,
    headers,
    redirect: 'manual' as const,
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
  };
  const repeatable = method === 'GET' || headers.has('idempotency-key');
  const started = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(transport, transport.baseUrl + request.path, init, signal);
    } catch (error) {
      if (!(error instanceof PressworkError)) throw error;
      const wait = transport.retry({ error, attempt, repeatable, elapsedMs: Date.now() - started });
      if (wait === null) throw error;
      await sleep(wait, signal);
    }
  }
}

async function sendOnce(
  { fetch, timeoutMs }: Transport,
  url: string,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<Result<object>> {
  const late = new PressworkError('TIMEOUT', `There was no answer within ${timeoutMs} ms.`);
  try {
    return await within(
      timeoutMs,
      signal,
      async (ending) => {
        const response = await fetch(url, { ...init, signal: ending });
        return read(response, await response.text());
      },
      late,
    );
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw error instanceof PressworkError ? error : connectionFailed(error);
  }
}

export const connectionFailed = (cause: unknown): PressworkError =>
  new PressworkError('CONNECTION_FAILED', `There was no complete answer: ${reasonOf(cause)}.`, { cause });

/** Node has the reason, such as ECONNREFUSED, in the cause of the error. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}

interface Envelope {
  readonly data?: { readonly approval?: PendingApproval } | null;
  readonly error?: PressworkErrorDetails & { readonly code: string; readonly message: string };
}

/** @throws PressworkError unless it is a success */
function read(response: Response, text: string): Result<object> {
  const { status, ok, headers } = response;
  if (status === 204) return resultOf({}, headers);
  const details = { status, requestId: headers.get('request-id'), retryAfter: retryAfterOf(headers) };
  let answer: Envelope | null = null;
  try {
    answer = JSON.parse(text) as Envelope | null;
  } catch (cause) {
    // An answer of the API that was cut.
    if (ok && headers.get('content-type')?.includes('json')) throw connectionFailed(cause);
  }
  if (answer?.error?.code !== undefined) {
    const { code, message, fields, limit } = answer.error;
    throw new PressworkError(code, message, { ...details, fields, limit });
  }
  if (!ok || typeof answer?.data !== 'object' || answer.data === null) {
    const message = `The answer, with status ${status}, is not from the API. Does the base URL end with /v1?`;
    throw new PressworkError('UNEXPECTED_ANSWER', message, details);
  }
  const { approval } = answer.data;
  if (status === 202 && approval !== undefined) {
    const message = `A person has to approve this: approval ${approval.id}.`;
    throw new PressworkError('APPROVAL_REQUIRED', message, { ...details, approval });
  }
  return resultOf(answer.data, headers);
}

/** In seconds; a proxy may give a time instead. */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}
