import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is between the product and a system: it counts, and makes the faults of a network. */
export interface Proxy {
  readonly host: string;
  readonly url: string;
  /** Requests so far that write. */
  writes: number;
  /** An answer in place of the system's. */
  answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null;
  /** Whether the connection is cut after the system has done a write to a post. */
  cutsAnswers: boolean;
  close(): Promise<void>;
}

/** @param isPost whether a path is that of posts */
export async function startProxy(target: () => number, isPost: (path: string) => boolean): Promise<Proxy> {
  const server = createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    const isWrite = method !== 'GET';
    if (isWrite) proxy.writes += 1;
    if (proxy.answer !== null) {
      request.resume();
      response.writeHead(proxy.answer.status, proxy.answer.headers).end('{}');
      return;
    }
    const onward = send({ host: '127.0.0.1', port: target(), method, path, headers }, (answer) => {
      if (isWrite && proxy.cutsAnswers && isPost(path)) {
        answer.resume().once('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: Proxy = {
    host,
    url: `http://${host}`,
    writes: 0,
    answer: null,
    cutsAnswers: false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return proxy;
}
