import type { GuardedClient } from '../../http/guarded-client.ts';

/** Bytes of a refusal that are read. Servers put its words into different members. */
const REFUSAL_BYTES = 16_000;

/** A call without a complete answer. */
export class CallFailed extends Error {
  /** Whether the model may still have worked on it. */
  readonly worked: boolean;

  constructor(why: string, worked: boolean) {
    super(`the call failed: ${why}`);
    this.worked = worked;
  }
}

/** A call that was answered by a status other than a success. Its text may quote the prompt, and stays out of the message. */
export class CallRefused extends Error {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;

  constructor(status: number, text: string, retryAfter: string | null) {
    super(`the call was answered by ${status}`);
    this.status = status;
    this.text = text;
    this.retryAfter = retryAfter;
  }
}

export interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly maxBytes: number;
  /** How long it may be silent, and take in all, in ms. */
  readonly silenceMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Calls a model through the guarded client. The operator configured the address, so it is trusted.
 *
 * @returns the bytes of the answer
 * @throws CallFailed; CallRefused
 */
export async function call(http: GuardedClient, to: Call): Promise<Uint8Array> {
  const answer = await http.request({
    url: to.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...to.headers },
    body: JSON.stringify(to.body),
    timeoutMs: to.timeoutMs,
    silenceMs: to.silenceMs,
    signal: AbortSignal.any([to.signal, AbortSignal.timeout(to.timeoutMs)]),
    maxResponseBytes: to.maxBytes,
    redirects: 0,
    isolationKey: 'writer',
    readBody: true,
    trusted: true,
  });
  if (answer.outcome === 'failure') throw new CallFailed(answer.error, answer.error === 'timeout');
  const { status, headers, body = Buffer.alloc(0), bodyTruncated } = answer;
  if (status < 200 || status >= 300)
    throw new CallRefused(
      status,
      body.subarray(0, REFUSAL_BYTES).toString(),
      headers['retry-after']?.toString() ?? null,
    );
  if (bodyTruncated) throw new CallFailed(`an answer of more than ${to.maxBytes} bytes`, true);
  return body;
}
