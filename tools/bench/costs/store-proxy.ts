import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy to S3 that counts requests. */
export interface StoreProxy {
  readonly url: string;
  /** So far. */
  readonly count: { requests: number };
  close(): Promise<void>;
}

export async function openStoreProxy(endpoint: string): Promise<StoreProxy> {
  const target = new URL(endpoint);
  const count = { requests: 0 };
  const server = createServer((incoming, answer) => {
    count.requests += 1;
    const { method, url: path, headers } = incoming;
    // The host is part of the signature, so it stays the same.
    const onward = request({ host: target.hostname, port: target.port, method, path, headers }, (stored) => {
      answer.writeHead(stored.statusCode ?? 502, stored.rawHeaders);
      stored.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
