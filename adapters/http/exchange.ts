import type { ClientRequest, IncomingMessage } from 'node:http';
import { NetworkFailure } from './failure.ts';
import { oneTextEach, type ResponseHeaders } from './response-headers.ts';

/** How long an unread response body may hold its connection, in milliseconds. */
const DISCARD_MS = 2_000;

export interface Body {
  bytes: Buffer;
  /** The response was longer than the limit; the rest was not read. */
  truncated: boolean;
}

export interface Head {
  status: number;
  headers: ResponseHeaders;
  /** The body, if requested; it rejects like the exchange. */
  body: Promise<Body> | undefined;
}

export interface ExchangeOptions {
  /** Ends the wait for the response head; its reason is the error. */
  signal: AbortSignal;
  /** Ends the exchange at any time. */
  givenUp?: AbortSignal | undefined;
  /** Read the body if the response is not a redirect; otherwise it is discarded within limits. */
  readBody: boolean;
  /** Maximum bytes of the body; beyond it the connection is destroyed. */
  maxBytes: number;
  /** Time-out for reading the body after the head, in milliseconds. */
  bodyTimeoutMs: number;
  /** Time-out for each piece of it. */
  silenceMs: number;
}

/**
 * Waits for the head of the response to a request, without the body. Interim responses, which nobody asked for, are
 * passed over (RFC 9110, 15.2). The body is read up to the limits; beyond them the connection is destroyed.
 *
 * @throws the error of the socket, TLS or the HTTP parser, or the signal's reason
 */
export function exchange(request: ClientRequest, options: ExchangeOptions): Promise<Head> {
  const { signal, givenUp, readBody, maxBytes, bodyTimeoutMs, silenceMs } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Head>();
  const fail = (error: Error): void => {
    reject(error);
    request.destroy(error);
  };
  const abandon = (): void => fail(signal.reason as Error);
  let begun: IncomingMessage | undefined;
  const giveUp = (): void => {
    const error = new NetworkFailure('timeout', 'the request was given up');
    if (begun === undefined) fail(error);
    else begun.destroy(error);
  };
  const switched = (): NetworkFailure => new NetworkFailure('protocol', 'the receiver switched protocols');

  signal.addEventListener('abort', abandon, { once: true });
  givenUp?.addEventListener('abort', giveUp, { once: true });
  request.on('close', () => givenUp?.removeEventListener('abort', giveUp));
  // The socket is no longer the request's: nobody else would hear of its errors, or close it.
  request.on('upgrade', (_response, socket) => {
    socket.on('error', () => {}).destroy();
    reject(switched());
  });
  request.on('information', ({ statusCode }) => {
    if (statusCode === 101) fail(switched());
  });
  request.on('response', (response) => {
    signal.removeEventListener('abort', abandon);
    begun = response;
    const { statusCode: status = 0 } = response;
    if (status < 200) return fail(new NetworkFailure('protocol', 'the response has no valid status'));
    const wanted = readBody && (status < 300 || status >= 400);
    const limits = wanted ? { maxBytes, bodyTimeoutMs, silenceMs } : discarding(maxBytes);
    const body = read(response, limits, wanted);
    // An error after the head fails the body alone.
    body.catch(() => {});
    request.on('error', (error) => response.destroy(error));
    resolve({ status, headers: oneTextEach(response.headersDistinct), body: wanted ? body : undefined });
  });
  request.on('error', (error) => {
    signal.removeEventListener('abort', abandon);
    reject(error);
  });
  return promise;
}

type BodyLimits = Pick<ExchangeOptions, 'maxBytes' | 'bodyTimeoutMs' | 'silenceMs'>;

const discarding = (maxBytes: number): BodyLimits => ({
  maxBytes,
  bodyTimeoutMs: DISCARD_MS,
  silenceMs: DISCARD_MS,
});

function read(
  response: IncomingMessage,
  { maxBytes, bodyTimeoutMs, silenceMs }: BodyLimits,
  keep: boolean,
): Promise<Body> {
  const { promise, resolve, reject } = Promise.withResolvers<Body>();
  const chunks: Buffer[] = [];
  let received = 0;
  const late = (): void => {
    const error = new NetworkFailure('timeout', 'the response body did not end in time');
    reject(error);
    response.destroy(error);
  };
  const timer = setTimeout(late, bodyTimeoutMs);
  const silence = setTimeout(late, silenceMs);
  const stop = (): void => {
    clearTimeout(timer);
    clearTimeout(silence);
  };
  const finish = (truncated: boolean): void => {
    stop();
    resolve({ bytes: Buffer.concat(chunks), truncated });
  };
  response.on('data', (chunk: Buffer) => {
    silence.refresh();
    const room = maxBytes - received;
    received += chunk.length;
    if (keep && room > 0) chunks.push(chunk.subarray(0, room));
    if (chunk.length <= room) return;
    finish(true);
    response.destroy();
  });
  response.on('end', () => finish(false));
  response.on('error', reject);
  response.on('close', stop);
  return promise;
}
