import type { GuardedClient } from '../../net/guarded-client.ts';

/** What an answer of a model has at most, in bytes. */
const ANSWER_BYTES = 8_000_000;

/** Has the model's client call out through the guarded client; the operator named the address, so it is trusted. */
export function guardedFetch(http: GuardedClient, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    const { signal } = init ?? {};
    signal?.throwIfAborted();
    const request = http.request({
      url,
      method: (init?.method ?? 'GET') as 'GET' | 'POST',
      headers,
      body: typeof init?.body === 'string' ? init.body : undefined,
      timeoutMs,
      maxResponseBytes: ANSWER_BYTES,
      redirects: 0,
      isolationKey: 'writer',
      readBody: true,
      trusted: true,
    });
    const answer = await (signal ? Promise.race([request, aborted(signal)]) : request);
    if (answer.outcome === 'failure') throw new TypeError(`fetch failed: ${answer.error}`);
    const sent = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
    );
    // The body has been read whole, and is no longer encoded or chunked.
    const kept = sent.filter(([name]) => name !== 'transfer-encoding' && name !== 'content-length');
    return new Response(answer.body ?? null, { status: answer.status, headers: kept });
  };
}

/** Rejects once nobody waits for the answer any more. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
