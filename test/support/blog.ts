import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { freePort } from '../../runtime/free-port.ts';
import { createBlog } from '../../examples/blog/blog.ts';
import type { BlogOptions } from '../../examples/blog/blog.ts';
import { buildKey } from './builders.ts';
import { ARTICLE_EVENTS } from './webhooks.ts';
import type { WebhookStack } from './webhooks.ts';

/** Longer than any test: what is seen earlier was told by a webhook. */
const HOUR_MS = 3_600_000;

/** The example blog on the API of a webhook stack, with an endpoint of its own. */
export interface TestBlog {
  readonly url: string;
  readonly webhookSecret: string;
  /** Sends the deliveries that are due. */
  deliver(): Promise<void>;
  /** Cuts the connection to the API. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function startBlog(stack: WebhookStack, options: Partial<BlogOptions> = {}): Promise<TestBlog> {
  const { api, tenant } = stack;
  const line = await openLine(Number(new URL(api.origin).port));
  const commentKey = await buildKey(api.db, tenant.siteId, tenant.memberId, { scopes: ['engagement:write'] });
  const port = await freePort();
  stack.allowedHosts.add(`127.0.0.1:${port}`);
  const url = `http://127.0.0.1:${port}`;
  const events = [...ARTICLE_EVENTS, 'comment.created'];
  const endpoint = await stack.endpoint(`${url}/_webhooks`, { events });
  const server = createBlog({
    baseUrl: `http://127.0.0.1:${line.port}/v1`,
    apiKey: tenant.publishableKey,
    commentKey: commentKey.secret,
    webhookSecret: endpoint.secret,
    freshMs: HOUR_MS,
    ...options,
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url,
    webhookSecret: endpoint.secret,
    deliver: () => stack.deliver(endpoint.id),
    cut: line.cut,
    mend: line.mend,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await line.close();
      await stack.request('DELETE', `/webhooks/${endpoint.id}`);
    },
  };
}

const listening = (server: Server, port = 0): Promise<number> =>
  new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** A line to a port that can be cut. */
async function openLine(to: number) {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(to, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => socket.destroy()));
    near.pipe(far).pipe(near);
    return near;
  });
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    port: await listening(server),
    cut,
    mend: () => void (isCut = false),
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the blog logs from now on, which is not printed. */
export function logOfErrors(): { readonly lines: readonly unknown[]; readonly restore: () => void } {
  const lines: unknown[] = [];
  const { error } = console;
  console.error = (line: unknown) => void lines.push(line);
  return { lines, restore: () => void (console.error = error) };
}
