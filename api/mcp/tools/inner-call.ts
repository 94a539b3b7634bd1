import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { BASE_PATH } from '../../http/base-path.ts';
import { releaseBody } from '../../http/body.ts';
import { envelope, requestIdOf } from '../../framework/envelope.ts';
import type { Ports } from '../../framework/ports.ts';

/** A call of an operation. */
export interface Call {
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body of the API. */
interface Envelope {
  readonly data?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly fields?: Readonly<Record<string, string>>;
  };
}

export interface Called {
  readonly status: number;
  /** The envelope; null without a body. */
  readonly json: Envelope | null;
  /** A header of the answer, or an empty text. */
  readonly header: (name: string) => string;
}

export type InnerCall = (call: Call) => Promise<Called>;

/**
 * Calls operations on behalf of a request: with its key, from its address, under its Request-Id, and through all that
 * requests over HTTP go through, but without a connection.
 *
 * @param answer answers requests of the API
 */
export function createInnerCalls(ports: Ports, answer: Middleware): (outer: Context) => InnerCall {
  const enveloped = envelope(ports);
  const nothingElse = (): Promise<void> => Promise.resolve();
  return (outer) => async (call) => {
    // Release the outer body first: a request that holds memory must not wait for more.
    releaseBody(outer.req);
    const request = requestOf(outer, call);
    const response = new ServerResponse(request);
    const ctx = outer.app.createContext(request, response) as Context;
    try {
      await enveloped(ctx, async () => void (await answer(ctx, nothingElse)));
      const { body } = ctx as { body: unknown };
      const text = Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : '';
      return {
        status: ctx.status,
        json: text === '' ? null : (JSON.parse(text) as Envelope),
        header: (name) => ctx.res.getHeader(name)?.toString() ?? '',
      };
    } finally {
      // As if it had been sent: whoever waits for the client to go stops waiting.
      response.emit('close');
    }
  };
}

function requestOf(outer: Context, { method, path, body, headers = {} }: Call): IncomingMessage {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const sent = {
    host: outer.get('Host'),
    authorization: outer.get('Authorization'),
    'request-id': requestIdOf(outer),
    ...(outer.get('X-Forwarded-For') !== '' && { 'x-forwarded-for': outer.get('X-Forwarded-For') }),
    ...(bytes.length > 0 && {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    }),
    ...headers,
  };
  const { socket, httpVersion } = outer.req;
  const url = BASE_PATH + path;
  const request = { method, url, headers: sent, socket, httpVersion };
  return Object.assign(Readable.from([bytes]), request) as unknown as IncomingMessage;
}
