import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface LocalServer {
  /** `host:port` */
  readonly host: string;
  close(): Promise<void>;
}

/** A server on a free port of this machine. */
export async function startLocalServer(
  answer: (response: ServerResponse, path: string, body: string) => void,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void text(request).then((body) => answer(response, request.url ?? '', body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
