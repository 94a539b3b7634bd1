import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request on its way. */
export type Mishap =
  /** The connection breaks before the API has the request. */
  | 'refuse'
  /** The API does it, and the connection breaks before its answer. */
  | 'drop'
  /** The API does it; half of the body arrives, then the connection breaks. */
  | 'cut'
  /** The API does it; half of the body arrives as if that were all. */
  | 'shorten'
  /** The API does it; half of the body arrives, then nothing. */
  | 'stall'
  /** It never reaches the API, and is never answered. */
  | 'hold'
  /** The proxy answers this itself. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** In milliseconds. */
  readonly at: number;
}

/** A proxy before an API, as bad as a network may be. */
export interface FailingProxy {
  /** Including `/v1`. */
  readonly baseUrl: string;
  readonly seen: SeenRequest[];
  /** The mishaps of the next requests, in order. */
  readonly mishaps: Mishap[];
  /** Instead of `mishaps`: what happens to each request; undefined to pass it on. */
  decide: ((request: SeenRequest) => Mishap | undefined) | undefined;
  close(): Promise<void>;
}

/** @param origin of the API */
export async function startFailingProxy(origin: string): Promise<FailingProxy> {
  const { hostname, port } = new URL(origin);
  const proxy: Omit<FailingProxy, 'baseUrl' | 'close'> = { seen: [], mishaps: [], decide: undefined };

  const pass = (incoming: IncomingMessage, answer: ServerResponse, mishap: Mishap | undefined): void => {
    const { method, url: path, headers } = incoming;
    const onward = request({ hostname, port, method, path, headers }, (given) => {
      const chunks: Buffer[] = [];
      given.on('data', (chunk: Buffer) => chunks.push(chunk));
      given.on('end', () => {
        const body = Buffer.concat(chunks);
        const half = body.subarray(0, body.length >> 1);
        if (mishap === 'drop') return void answer.socket?.destroy();
        const status = given.statusCode ?? 502;
        if (mishap === 'shorten') {
          return void answer.writeHead(status, { ...given.headers, 'content-length': half.length }).end(half);
        }
        answer.writeHead(status, given.headers);
        if (mishap === undefined) return void answer.end(body);
        answer.write(half, () => {
          if (mishap === 'cut') answer.socket?.destroy();
        });
      });
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  };

  const server = createServer((incoming, answer) => {
    const { method = '', url: path = '', headers } = incoming;
    const seen = { method, path, headers, at: performance.now() };
    proxy.seen.push(seen);
    const mishap = proxy.decide ? proxy.decide(seen) : proxy.mishaps.shift();
    if (mishap === 'hold') return;
    if (mishap === 'refuse') return void incoming.socket.destroy();
    if (typeof mishap !== 'object') return pass(incoming, answer, mishap);
    incoming.resume().on('end', () => {
      answer.writeHead(mishap.status, mishap.headers).end(mishap.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
