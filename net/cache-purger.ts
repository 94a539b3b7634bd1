import type { CachePurger } from '../domain/purge.ts';
import type { GuardedClient } from './guarded-client.ts';

/**
 * Posts the stale addresses as `{"urls": […]}` to the operator's PURGE_URL. The address is the operator's own,
 * so it may be a private one, unlike every address that a client names.
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
    return result.outcome === 'response' && result.status >= 200 && result.status <= 299;
  },
});
