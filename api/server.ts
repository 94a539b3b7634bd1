import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { newId } from '../domain/ids.ts';
import { unreadableRefused } from '../observability/metrics/requests.ts';
import { rateLimitState } from '../domain/access/rate-limits.ts';
import { systemClock } from '../domain/clock.ts';
import { securityHeaders } from './security-headers.ts';

/** Time-outs against slow clients, for the headers and for the whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle time-out of common proxies, so that the proxy closes first. */
const KEEP_ALIVE_MS = 65_000;

/** Creates a server for the app, with limits against slow and oversized requests. */
export function createHttpServer(app: Koa): Server {
  const answer = app.callback();
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
  server.on('clientError', refuseUnreadable);
  return server;
}

const plainHeaders = Object.entries(securityHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Answers requests that cannot be parsed, or do not arrive in time, with the envelope. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = describe(error.code);
  unreadableRefused(Number.parseInt(status));
  const requestId = newId();
  const body = JSON.stringify({ error: { code: 'INVALID_REQUEST', message }, request_id: requestId });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Request-Id: ${requestId}\r\n${wholeWindow()}${plainHeaders}Connection: close\r\n\r\n${body}`,
  );
}

/**
 * The RateLimit headers that every answer has (docs/spec/service-api.md, Conventions); this request was not counted.
 */
function wholeWindow(): string {
  const { limit, remaining, reset } = rateLimitState('keyless', 0, systemClock.now());
  return `RateLimit-Limit: ${limit}\r\nRateLimit-Remaining: ${remaining}\r\nRateLimit-Reset: ${reset}\r\n`;
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
