import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request on its way to the API. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** What happens to a request. */
export type Passage =
  /** It is forwarded. */
  | 'pass'
  /** It never reaches the API, and its connection stays open. */
  | 'hold'
  /** It gets another answer. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  /** It is forwarded, possibly after a promise; `answered` handles its answer. */
  | { readonly after?: Promise<void>; readonly answered: () => 'give' | 'cut' | 'hold' };

/** A proxy in front of the API, which lets a test decide what happens to each request. */
export interface ApiProxy {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly seen: Passing[];
}

const open: (() => Promise<void>)[] = [];

/** Stops the proxies of a test. */
export async function closeProxies(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()));
}

/**
 * @param keys sent in turn instead of the caller's, so that none reaches its rate limit; if empty, the caller's is sent
 */
export async function startApiProxy(
  origin: string,
  decide: (passing: Passing, count: number) => Passage = () => 'pass',
  keys: readonly string[] = [],
): Promise<ApiProxy> {
  const target = new URL(origin);
  const seen: Passing[] = [];

  const forward = (
    incoming: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
    passage: Passage,
  ): void => {
    const { method, url: path, headers } = incoming;
    const key = keys[seen.length % keys.length];
    const authorization = key === undefined ? headers.authorization : `Bearer ${key}`;
    const onward = request(
      {
        host: target.hostname,
        port: target.port,
        method,
        path,
        headers: { ...headers, authorization },
      },
      (answered) => {
        const fate = typeof passage === 'object' && 'answered' in passage ? passage.answered() : 'give';
        if (fate === 'cut') incoming.socket.destroy();
        if (fate !== 'give') return void answered.resume();
        answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
        answered.pipe(answer);
      },
    );
    onward.on('error', () => answer.destroy());
    onward.end(body);
  };

  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('error', () => {});
    answer.on('error', () => {});
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const passing = { method: incoming.method ?? '', path: incoming.url ?? '', body: body.toString() };
    seen.push(passing);
    const passage = decide(passing, seen.length);
    if (passage === 'hold') return;
    if (typeof passage === 'object' && 'status' in passage) {
      answer.writeHead(passage.status, { 'content-type': 'application/json', ...passage.headers });
      answer.end(passage.body ?? '{"error":{"code":"INTERNAL_ERROR","message":"Not now."}}');
      return;
    }
    if (typeof passage === 'object') await passage.after;
    forward(incoming, body, answer, passage);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}
