import type { GuardedClient } from '../../http/guarded-client.ts';

/** Maximum bytes of an answer: the longest article with every character escaped. */
const ANSWER_BYTES = 6_000_000;

/** Maximum bytes read of a refusal. */
const REFUSAL_BYTES = 16_000;

/** A call without a readable answer. */
export class CallFailed extends TypeError {
  /** Whether the model may still have worked on it. */
  readonly worked: boolean;

  constructor(why: string, worked: boolean) {
    super(`fetch failed: ${why}`);
    this.worked = worked;
  }
}

/**
 * A `fetch` for the model's client, through the guarded client. The operator configured the address, so it is trusted.
 */
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
    if (answer.outcome === 'failure') throw new CallFailed(answer.error, answer.error === 'timeout');
    if (answer.bodyTruncated) throw new CallFailed(`an answer of more than ${ANSWER_BYTES} bytes`, true);
    const sent = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
    );
    // A refusal is parsed in this process, so it is limited to the few words that matter. Servers put them into different
    // members, and the client only looks into one of them.
    const body =
      answer.status < 400
        ? answer.body
        : JSON.stringify({ error: answer.body?.subarray(0, REFUSAL_BYTES).toString() });
    // The body is complete and no longer encoded or chunked.
    const kept = sent.filter(([name]) => name !== 'transfer-encoding' && name !== 'content-length');
    return new Response(body ?? null, { status: answer.status, headers: kept });
  };
}

/** Rejects once the call times out or the attempt ends. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new CallFailed('timeout', true)), { once: true });
  });
