import type { CachePurger, Purge } from '../../domain/purge/purge.ts';
import { encodedUrl } from '../../domain/purge/public-urls.ts';
import { purgeAnswered } from '../../observability/metrics/purges.ts';
import type { GuardedClient } from './guarded-client.ts';

/** The most addresses and keys of a call. */
const MOST = 1_000;

/**
 * Posts stale pages as `{"urls": […], "keys": […]}` to PURGE_URL, in several calls if it is much. The operator
 * configured that address, so it may be private, unlike addresses that clients give.
 */
export const createCachePurger = (http: GuardedClient, purgeUrl: string, publicUrl: string): CachePurger => ({
  publicUrl,
  async purge({ urls, keys }, timeoutMs) {
    const until = performance.now() + timeoutMs;
    for (let from = 0; from === 0 || from < Math.max(urls.length, keys.length); from += MOST) {
      const part = {
        urls: urls.slice(from, from + MOST).map(encodedUrl),
        keys: keys.slice(from, from + MOST),
      };
      const left = until - performance.now();
      const accepted = left > 0 && (await post(http, purgeUrl, part, left));
      purgeAnswered(accepted);
      if (!accepted) return false;
    }
    return true;
  },
});

async function post(http: GuardedClient, url: string, part: Purge, timeoutMs: number): Promise<boolean> {
  const result = await http.request({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'presswork-purge/1' },
    body: JSON.stringify(part),
    timeoutMs,
    redirects: 0,
    isolationKey: 'purge',
    readBody: false,
    trusted: true,
  });
  return result.outcome === 'response' && result.status >= 200 && result.status <= 299;
}
