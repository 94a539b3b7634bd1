/** Any origin: it is compared with itself only. */
const HERE = 'http://here.invalid';
const LONGEST = 2_000;
const ours = /^\/(device|dashboard)(\/|$)/;

/**
 * Where a person goes after signing in: a path of the device page or of the dashboard, whatever the address names.
 *
 * @returns the path with its query
 */
export function nextPath(named: string | null): string {
  if (named === null || !named.startsWith('/') || named.length > LONGEST) return '/dashboard';
  const url = URL.parse(named, HERE);
  if (url === null || url.origin !== HERE || !ours.test(url.pathname)) return '/dashboard';
  return url.pathname + url.search;
}
