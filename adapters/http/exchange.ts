import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
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
  /** Read the body if the response is not a redirect; otherwise it is discarded within limits. */
  readBody: boolean;
  /** Maximum bytes of the body; beyond it the connection is destroyed. */
  maxBytes: number;
  /** Time-out for reading the body after the head, in milliseconds. */
  bodyTimeoutMs: number;
}

/**
 * Sends one request and returns the response head without waiting for the body. The body is read up to the limits;
 * beyond them the connection is destroyed.
 *
 * @throws the error of the socket, TLS or the HTTP parser, or the signal's reason
 */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  options: ExchangeOptions,
): Promise<Head> {
  options.signal.throwIfAborted();
  const reader = new ResponseReader(options);
  dispatcher.dispatch(request, reader);
  return reader.head;
}

class ResponseReader implements Dispatcher.DispatchHandler {
  readonly head: Promise<Head>;
  readonly #options: ExchangeOptions;
  readonly #waiting: PromiseWithResolvers<Head> = Promise.withResolvers();
  #controller: Dispatcher.DispatchController | undefined;
  #reading: PromiseWithResolvers<Body> | undefined;
  #bodyTimer: NodeJS.Timeout | undefined;
  #chunks: Buffer[] = [];
  #received = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.head = this.#waiting.promise;
    options.signal.addEventListener('abort', this.#abandon, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#options.signal.aborted) this.#abandon();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    const { readBody, bodyTimeoutMs, signal } = this.#options;
    signal.removeEventListener('abort', this.#abandon);
    if (readBody && (status < 300 || status >= 400)) this.#reading = Promise.withResolvers();
    this.#bodyTimer = setTimeout(this.#giveUpBody, this.#reading ? bodyTimeoutMs : DISCARD_MS);
    this.#waiting.resolve({ status, headers: oneTextEach(headers), body: this.#reading?.promise });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#options.maxBytes - this.#received;
    if (this.#reading) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#received += chunk.length;
    if (chunk.length <= room) return;
    this.#finishBody(true);
    controller.abort(new NetworkFailure('protocol', 'the response body is longer than the limit'));
  }

  onResponseEnd(): void {
    this.#finishBody(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const { signal } = this.#options;
    signal.removeEventListener('abort', this.#abandon);
    clearTimeout(this.#bodyTimer);
    // A promise that is already settled stays so: a body that breaks off after the head fails alone.
    this.#waiting.reject(error);
    this.#reading?.reject(error);
  }

  #finishBody(truncated: boolean): void {
    clearTimeout(this.#bodyTimer);
    this.#reading?.resolve({ bytes: Buffer.concat(this.#chunks), truncated });
    this.#chunks = [];
  }

  /** Called when the head's time is over. A request without a connection has no controller to abort yet. */
  readonly #abandon = (): void => {
    const { reason } = this.#options.signal;
    this.#waiting.reject(reason);
    this.#controller?.abort(reason);
  };

  readonly #giveUpBody = (): void => {
    this.#controller?.abort(new NetworkFailure('timeout', 'the response body did not end in time'));
  };
}
