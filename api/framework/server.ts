import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { unreadableRefused } from '../../observability/metrics/requests.ts';
import { rateLimitState } from '../../domain/access/rate-limits.ts';
import { systemClock } from '../../domain/kernel/clock.ts';
import { requestIdFor } from './envelope.ts';
import { securityHeaders } from '../http/security-headers.ts';

/** Time-outs against slow clients, for the headers and for the whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time-out of common proxies, so that the proxy closes first. */
const KEEP_ALIVE_MS = 65_000;

/** Creates a server for the app, with limits against slow and oversized requests. */
export function createHttpServer(app: Koa): Server {
  const handle = app.callback();
  /** The newest response of each connection. */
  const newest = new WeakMap<Duplex, ServerResponse>();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    newest.set(request.socket, response);
    const path = pathOf(request.url ?? '');
    if (path === null) return refuseTarget(request, response);
    request.url = path;
    void handle(request, response);
  };
  const server = createServer(
    {
      // Otherwise Node would reject a request without Host by itself, without the envelope.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 32_768,
    },
    answer,
  );
  // An unknown Expect header is ignored, instead of Node's bare 417.
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseUnreadable(error, socket, newest.get(socket)),
  );
  return server;
}

/**
 * The path and query of a request target, as all that follows expects them: an absolute one has a scheme and a host
 * before them.
 *
 * @returns null for a target without a path; Node accepts any text
 */
function pathOf(target: string): string | null {
  if (target.startsWith('/') || target === '*') return target;
  const url = URL.parse(target);
  return url !== null && /^https?:$/.test(url.protocol) ? url.pathname + url.search : null;
}

function refuseTarget({ headers: sent }: IncomingMessage, response: ServerResponse): void {
  const message = 'The request target must be a path, such as /v1/ping.';
  const { headers, body } = refusal(400, message, requestIdFor(sent['request-id']));
  response.writeHead(400, headers).end(body);
}

/**
 * Answers requests that cannot be parsed, or do not arrive in time, with the envelope.
 *
 * @param newest the connection's newest response, if there is one
 */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  newest: ServerResponse | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (newest !== undefined && !newest.writableFinished) {
    // Unreadable bytes come after a whole request, which is answered before the connection ends.
    if (newest.req.complete) return endAfter(newest, socket);
    // A second answer would end up within the first.
    if (newest.headersSent) return void socket.destroy();
  }
  const [status, message] = describe(error.code);
  const { headers, body } = refusal(Number.parseInt(status), message);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}

/** Connections that end after their newest response. */
const ending = new WeakSet<Duplex>();

function endAfter(response: ServerResponse, socket: Duplex): void {
  if (ending.has(socket)) return;
  ending.add(socket);
  response.once('close', () => socket.end());
}

/**
 * An answer to a request that the app does not see. It has the RateLimit headers that every answer has
 * (docs/spec/service-api.md, Conventions), though it is not counted.
 */
function refusal(status: number, message: string, requestId = requestIdFor(undefined)) {
  unreadableRefused(status);
  const body = JSON.stringify({ error: { code: 'INVALID_REQUEST', message }, request_id: requestId });
  const { limit, remaining, reset } = rateLimitState('keyless', 0, systemClock.now());
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Request-Id': requestId,
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(reset),
    ...securityHeaders,
    Connection: 'close',
  };
  return { headers, body };
}

function describe(code: string | undefined): [status: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'The headers must not be larger than 32 KiB.'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return [
      '408 Request Timeout',
      `The request must arrive completely within ${REQUEST_TIMEOUT_MS / 1000} seconds.`,
    ];
  }
  return ['400 Bad Request', 'The request must be valid HTTP/1.1.'];
}
