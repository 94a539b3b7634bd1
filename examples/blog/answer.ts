import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Browsers may keep a page, and ask each time whether it is still true. */
const REVALIDATED = 'no-cache';

const securityHeaders = {
  // Nothing runs, not even scripts of ours: there are none. Images of articles may be anywhere.
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src https: http:; media-src https: http:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
};

/** Sends an answer, or 304 to a client that has it already. */
export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, type, body, headers } = answer;
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const cached = status === 200 ? { etag, 'cache-control': REVALIDATED } : { 'cache-control': 'no-store' };
  const all = { ...securityHeaders, ...cached, ...headers };
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
  if (status === 200 && isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const isKnown = (known: string | undefined, etag: string): boolean =>
  known?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) ?? false;
