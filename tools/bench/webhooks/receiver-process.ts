import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message from the benchmark to the receiver. */
export type ReceiverOrder = { readonly status: number } | { readonly take: string };

/** When an event arrived, and how long after its `created_at`, in milliseconds. */
export interface Arrival {
  readonly at: number;
  readonly delay: number;
}

/** A message from the receiver: first its ports, then its reports. */
export type ReceiverReport =
  | { readonly live: number; readonly dead: number }
  | { readonly arrivals: ReadonlyMap<string, Arrival>; readonly requests: number };

/** The positions of the event's id and, after its name, of `created_at` in a body. */
const ID = /^\{"id":"([0-9a-f-]{36})","event":"[^"]*","created_at":"([^"]*)"/;

/** By path: the first arrival of each event that was answered with a 2xx, and the number of requests. */
const inboxes = new Map<string, { arrivals: Map<string, Arrival>; requests: number }>();
let status = 200;

const live = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const at = Date.now();
    const inbox = inboxOf(request.url ?? '');
    inbox.requests += 1;
    const [, id, createdAt = ''] = ID.exec(chunks[0]?.toString('latin1', 0, 200) ?? '') ?? [];
    if (status === 200 && id !== undefined && !inbox.arrivals.has(id))
      inbox.arrivals.set(id, { at, delay: at - Date.parse(createdAt) });
    response.writeHead(status).end();
  });
});
/** Accepts requests and never answers. */
const dead = createServer((request) => request.resume());

const empty = () => ({ arrivals: new Map<string, Arrival>(), requests: 0 });

function inboxOf(path: string) {
  let inbox = inboxes.get(path);
  if (inbox === undefined) inboxes.set(path, (inbox = empty()));
  return inbox;
}

const listen = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );

process.on('message', (order: ReceiverOrder) => {
  if ('status' in order) {
    status = order.status;
    return;
  }
  process.send?.((inboxes.get(order.take) ?? empty()) satisfies ReceiverReport);
});
process.on('disconnect', () => process.exit());
process.send?.({ live: await listen(live), dead: await listen(dead) } satisfies ReceiverReport);
