import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { newId } from '../domain/ids.ts';
import { unreadableRefused } from '../metrics/requests.ts';
import { securityHeaders } from './security-headers.ts';

/** Against slow clients: the head, then the whole request, must have arrived within these times. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the usual proxy keeps its idle connections, so that the proxy closes first. */
const KEEP_ALIVE_MS = 65_000;

/** A server for the app that bounds what a client may take of it. */
export function createHttpServer(app: Koa): Server {
  const answer = app.callback();
  const server = createServer(
    {
      // Node would refuse a request without Host by itself, outside the envelope.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 32_768,
    },
    answer,
  );
  // An expectation that nobody can meet is passed over, instead of a bare 417.
  server.on('checkExpectation', answer);
  server.on('clientError', refuseUnreadable);
  return server;
}

const plainHeaders = Object.entries(securityHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** What cannot be parsed as HTTP, or does not arrive in time, still gets the envelope. */
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
      `Request-Id: ${requestId}\r\n${plainHeaders}Connection: close\r\n\r\n${body}`,
  );
}

function describe(code: string | undefined): [status: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['431 Request Header Fields Too Large', 'The headers are larger than 32 KiB.'];
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return [
      '408 Request Timeout',
      `The request did not arrive whole within ${REQUEST_TIMEOUT_MS / 1000} seconds.`,
    ];
  }
  return ['400 Bad Request', 'The request is not HTTP/1.1 that can be parsed.'];
}
