import { validationFailed } from '../kernel/errors.ts';
import { isOwnHost } from '../kernel/own-host.ts';

/**
 * Checks where a crawl is to begin: on the Site's domain by https, or on a host that the operator allows, then also by
 * http.
 *
 * @throws ServiceError VALIDATION_FAILED
 */
export function requireStartUrl(
  startUrl: string | undefined,
  domain: string,
  { exempts }: { readonly exempts: (url: URL) => boolean },
): void {
  if (startUrl === undefined) return;
  const url = new URL(startUrl);
  if (exempts(url)) return;
  if (isOwnHost(url.hostname, domain) && url.protocol === 'https:') return;
  throw validationFailed({
    start_url: `must be an https URL on the Site’s domain, such as https://${domain}/`,
  });
}
