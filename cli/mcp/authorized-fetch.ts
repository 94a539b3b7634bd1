import type { FetchLike } from '@modelcontextprotocol/client';
import type { Keys } from './keys.ts';

/** From the request to the last byte of its answer. Subscriptions last as long as they send something. */
const EXCHANGE_MS = 5 * 60_000;
const MOST_BYTES = 32 * 1_024 * 1_024;

/**
 * Sends requests with the key. After a 401 it signs in anew and sends the request again, once: the API did nothing with
 * a key that it rejects.
 */
export const authorizedFetch =
  (keys: Pick<Keys, 'get'>): FetchLike =>
  async (url, init = {}) => {
    const key = await keys.get();
    const answer = await send(url, init, key);
    if (answer.status !== 401) return answer;
    await answer.body?.cancel();
    return send(url, init, await keys.get(key));
  };

async function send(url: string | URL, init: RequestInit, key: string): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${key}`);
  const lasts = init.method === 'GET' || headers.get('Mcp-Method') === 'subscriptions/listen';
  const signals = [init.signal, lasts ? null : AbortSignal.timeout(EXCHANGE_MS)];
  const signal = AbortSignal.any(signals.filter((each) => each instanceof AbortSignal));
  const answer = await fetch(url, { ...init, headers, signal });
  // A redirect is read by its headers.
  if (answer.body === null || (answer.status >= 300 && answer.status < 400)) return answer;
  return new Response(answer.body.pipeThrough(limit()), answer);
}

function limit(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) throw new Error(`The answer has more than ${MOST_BYTES} bytes.`);
      controller.enqueue(chunk);
    },
  });
}
