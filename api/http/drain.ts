import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';

/** Interval at which idle connections are closed. */
const CHECK_MS = 100;
/** Time for the first request of a new connection to arrive. */
const UNUSED_MS = 1_000;

export interface DrainTimes {
  /** From the end of readiness to the end of listening, in ms: time for the load balancer to notice. */
  readonly pauseMs: number;
  /** Time for requests in flight to finish after that, in ms. */
  readonly limitMs: number;
}

/**
 * Drains the connections of an API process before it ends. First, readiness fails and each answer closes its
 * connection, but requests are still accepted. Then no new connection is accepted, and requests in flight finish.
 */
export class Drain {
  #started = false;
  readonly #connections = new Set<Socket>();

  get started(): boolean {
    return this.#started;
  }

  /** @returns false if requests were still in flight after `limitMs`; their connections have been closed */
  async run(server: Server, { pauseMs, limitMs }: DrainTimes): Promise<boolean> {
    this.#started = true;
    await sleep(pauseMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const shutAt = performance.now();
    let cut = false;
    const timer = setInterval(() => {
      const elapsed = performance.now() - shutAt;
      server.closeIdleConnections();
      if (elapsed > UNUSED_MS) this.#closeUnused();
      if (elapsed <= limitMs) return;
      cut = true;
      server.closeAllConnections();
    }, CHECK_MS);
    await closed;
    clearInterval(timer);
    return !cut;
  }

  /** Tracks a server's connections: Node does not count those that have received nothing yet as idle. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  #closeUnused(): void {
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Makes each answer close its connection while the process drains, including answers to earlier requests. */
export function closeConnections(drain: Pick<Drain, 'started'>): Middleware {
  return async (ctx, next) => {
    await next();
    if (drain.started) ctx.set('Connection', 'close');
  };
}
