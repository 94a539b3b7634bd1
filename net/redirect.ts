import type { IncomingHttpHeaders } from 'node:http';
import { NetworkFailure } from './failure.ts';

/** Redirects that repeat the method, the body and the headers (decisions 7). */
const REPEATING = new Set([301, 302, 307, 308]);

/** Headers that hold for the host they were meant for, and for no other. */
const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie']);

/**
 * Where a response sends the request next; undefined when the response is the answer. A 303 is followed by a GET: only
 * a request that is one itself is the same request then.
 *
 * @throws NetworkFailure `redirect` for a 303 that cannot repeat the request, and for a location that is no URL
 */
export function redirectTarget(
  method: string,
  status: number,
  headers: IncomingHttpHeaders,
  from: URL,
): URL | undefined {
  if (status === 303 && method !== 'GET') {
    throw new NetworkFailure('redirect', 'a 303 redirect drops the request', { status });
  }
  if ((status !== 303 && !REPEATING.has(status)) || headers.location === undefined) return undefined;
  const target = URL.parse(headers.location, from.href);
  if (target === null) throw new NetworkFailure('redirect', 'the redirect leads to no URL', { status });
  return target;
}

/** The headers to repeat at another origin: all but those that would hand it a credential. */
export function headersForOtherOrigin(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name.toLowerCase())));
}
