import { request } from 'undici';
import type { CachePurger } from '../domain/purge.ts';

/**
 * Posts the stale addresses as `{"urls": […]}` to the operator's PURGE_URL. The address is the operator's own,
 * so it may be a private one, unlike every address that a client names.
 */
export const createCachePurger = (purgeUrl: string): CachePurger => ({
  async purge(urls, timeoutMs) {
    try {
      const { statusCode, body } = await request(purgeUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'presswork-purge/1' },
        body: JSON.stringify({ urls }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      await body.dump({ limit: 65_536 });
      return statusCode >= 200 && statusCode <= 299;
    } catch {
      return false;
    }
  },
});
