import type { IncomingMessage } from 'node:http';

/** The body of a request as it was sent; null if it is larger. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  if (Number(request.headers['content-length']) > maxBytes) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether a form was sent by one of our own pages. Browsers say so, and no other page can make them say it. */
export function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return URL.canParse(headers.origin ?? '') && new URL(headers.origin ?? '').host === headers.host;
}

/** @param behindProxy whether a proxy of ours adds the address that it sees to the end of `X-Forwarded-For` */
export function clientAddress(request: IncomingMessage, behindProxy: boolean): string | null {
  const forwarded = request.headers['x-forwarded-for'];
  const seen = behindProxy
    ? String(forwarded ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : undefined;
  return seen || (request.socket.remoteAddress ?? null);
}
