import { INVALID_REQUEST, PARSE_ERROR, isInitializeRequest } from '@modelcontextprotocol/client';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { answerWith, failureOf, reasonOf } from './failures.ts';
import { eraOf, isNotification, isRequest, messageIn } from './messages.ts';

type RequestId = string | number;

/** A request that the client has no answer to yet. */
interface InFlight {
  readonly request: JSONRPCRequest;
  /** Ends its HTTP request. */
  readonly ending: AbortController;
  readonly settled: PromiseWithResolvers<void>;
}

export interface BridgePorts {
  readonly server: StreamableHTTPClientTransport;
  /** Sends a message to the client. */
  readonly write: (message: JSONRPCMessage) => void;
  /** Tells a person. */
  readonly say: (text: string) => void;
}

/** Far more than a client asks at a time. */
const MOST_IN_FLIGHT = 64;

/** Passes messages between a client on standard input and output and the server on HTTP. Every request gets an answer. */
export class Bridge {
  readonly #ports: BridgePorts;
  readonly #inFlight = new Map<RequestId, InFlight>();
  /** Other messages than requests, on their way to the server. */
  #notified = 0;
  /** Messages after `initialize` carry the version that its answer names. */
  #initialized: Promise<void> = Promise.resolve();

  constructor(ports: BridgePorts) {
    this.#ports = ports;
    // A transport has one receiver, not events.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    ports.server.onmessage = (message) => this.#fromServer(message);
  }

  /** Takes a line of the client's; null for one that was too long. */
  take(line: string | null): void {
    if (line?.trim() === '') return;
    if (line === null) return this.#reject(null, INVALID_REQUEST, 'The line is too long.');
    const message = messageIn(line);
    if (message === 'not JSON') return this.#reject(null, PARSE_ERROR, 'The line is not JSON.');
    if (message === 'not a message') {
      return this.#reject(null, INVALID_REQUEST, 'The line is not a JSON-RPC message.');
    }
    if (isRequest(message)) this.#begin(message);
    else if (!this.#isCancelled(message)) void this.#notify(message);
  }

  /** Ends subscriptions, and waits for the answers to other requests. */
  async drain(): Promise<void> {
    for (const [id, { request }] of this.#inFlight) {
      if (request.method === 'subscriptions/listen') this.#drop(id);
    }
    await Promise.all(Array.from(this.#inFlight.values(), ({ settled }) => settled.promise));
  }

  fail(error: unknown): void {
    for (const id of this.#inFlight.keys()) this.#settle(id, answerWith(id, failureOf(error)));
  }

  #begin(request: JSONRPCRequest): void {
    const { id } = request;
    if (this.#inFlight.has(id)) return this.#reject(id, INVALID_REQUEST, 'The id is in use.');
    if (this.#inFlight.size >= MOST_IN_FLIGHT)
      return this.#reject(id, INVALID_REQUEST, `More than ${MOST_IN_FLIGHT} requests are in flight.`);
    const entry = { request, ending: new AbortController(), settled: Promise.withResolvers<void>() };
    this.#inFlight.set(id, entry);
    void this.#ask(entry, this.#initialized);
    if (isInitializeRequest(request)) this.#initialized = entry.settled.promise;
  }

  async #ask({ request, ending }: InFlight, ready: Promise<void>): Promise<void> {
    const { id } = request;
    const fail = (error: unknown): void => {
      if (!ending.signal.aborted) this.#settle(id, answerWith(id, failureOf(error)));
    };
    await ready;
    try {
      ending.signal.throwIfAborted();
      await this.#ports.server.send(request, {
        requestSignal: ending.signal,
        onRequestStreamEnd: () => fail(new Error('The connection ended before the answer was complete.')),
      });
    } catch (error) {
      fail(error);
    }
  }

  /** Over HTTP, a request is cancelled by its end; up to 2025-11-25, by a notification as well. */
  #isCancelled(message: JSONRPCMessage): boolean {
    if (!isNotification(message) || message.method !== 'notifications/cancelled') return false;
    const id = message.params?.['requestId'] as RequestId;
    const entry = this.#inFlight.get(id);
    if (entry === undefined) return false;
    this.#drop(id);
    return eraOf(entry.request) === 'modern';
  }

  async #notify(message: Exclude<JSONRPCMessage, JSONRPCRequest>): Promise<void> {
    if (this.#notified >= MOST_IN_FLIGHT) return this.#ports.say('Too many notifications: one is left out.');
    this.#notified += 1;
    try {
      await this.#initialized;
      await this.#ports.server.send(message);
    } catch (error) {
      this.#ports.say(`A notification was not delivered. ${reasonOf(error)}`);
    } finally {
      this.#notified -= 1;
    }
  }

  #fromServer(message: JSONRPCMessage): void {
    if ('method' in message) return this.#ports.write(message);
    const { id } = message;
    const entry = id === undefined ? undefined : this.#inFlight.get(id);
    if (id === undefined || entry === undefined) return;
    const version = 'result' in message ? message.result['protocolVersion'] : undefined;
    if (isInitializeRequest(entry.request) && typeof version === 'string')
      this.#ports.server.setProtocolVersion(version);
    this.#settle(id, message);
  }

  #reject(id: RequestId | null, code: number, message: string): void {
    this.#ports.write(answerWith(id, { code, message }));
  }

  #settle(id: RequestId, answer: JSONRPCMessage): void {
    if (!this.#inFlight.has(id)) return;
    this.#ports.write(answer);
    this.#drop(id);
  }

  #drop(id: RequestId): void {
    const entry = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    entry?.ending.abort();
    entry?.settled.resolve();
  }
}
