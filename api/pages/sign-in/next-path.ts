/** Any origin: it is compared with itself only. */
const HERE = 'http://here.invalid';
const LONGEST = 2_000;
/** A client of OAuth sends its own state along. */
const LONGEST_AUTHORIZATION = 6_000;
const ours = /^\/((device|dashboard)(\/|$)|oauth\/authorize$)/;

/**
 * Where a person goes after signing in: a path of the device page, of the dashboard or of the consent page of OAuth, whatever the address names.
 *
 * @returns the path with its query
 */
export function nextPath(named: string | null): string {
  if (named === null || !named.startsWith('/') || named.length > LONGEST_AUTHORIZATION) return '/dashboard';
  const url = URL.parse(named, HERE);
  if (url === null || url.origin !== HERE || !ours.test(url.pathname)) return '/dashboard';
  if (named.length > LONGEST && url.pathname !== '/oauth/authorize') return '/dashboard';
  return url.pathname + url.search;
}
