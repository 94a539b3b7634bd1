import type { CachePurger } from '../../domain/purge.ts';
import { purgeAnswered } from '../../observability/metrics/purges.ts';
import type { GuardedClient } from './guarded-client.ts';

/**
 * Posts stale URLs as `{"urls": […]}` to PURGE_URL. The operator configured that address, so it may be private, unlike
 * addresses that clients give.
 */
export const createCachePurger = (http: GuardedClient, purgeUrl: string): CachePurger => ({
  async purge(urls, timeoutMs) {
    const result = await http.request({
      url: purgeUrl,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'presswork-purge/1' },
      body: JSON.stringify({ urls }),
      timeoutMs,
      redirects: 0,
      isolationKey: 'purge',
      readBody: false,
      trusted: true,
    });
    const accepted = result.outcome === 'response' && result.status >= 200 && result.status <= 299;
    purgeAnswered(accepted);
    return accepted;
  },
});
