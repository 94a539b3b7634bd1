import { NetworkFailure } from './failure.ts';
import type { ResponseHeaders } from './response-headers.ts';

/** Redirects that repeat the method, the body and the headers (docs/spec/rulings.md, 7). */
const REPEATING = new Set([301, 302, 307, 308]);

/** Headers that are only meant for the original host. */
const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie']);

/**
 * The URL a response redirects to; undefined if it is not a redirect. A 303 turns the request into a GET, so only a GET
 * stays the same request.
 *
 * @throws NetworkFailure `redirect` for a 303 that cannot repeat the request, or a location that is not a URL
 */
export function redirectTarget(
  method: string,
  status: number,
  { location }: ResponseHeaders,
  from: URL,
): URL | undefined {
  if (status === 303 && method !== 'GET') {
    throw new NetworkFailure('redirect', 'a 303 redirect drops the request', { status });
  }
  if ((status !== 303 && !REPEATING.has(status)) || location === undefined) return undefined;
  const target = URL.parse(location, from.href);
  if (target === null) throw new NetworkFailure('redirect', 'the redirect leads to no URL', { status });
  return target;
}

/** The headers for another origin: all but credentials. */
export function headersForOtherOrigin(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name.toLowerCase())));
}
