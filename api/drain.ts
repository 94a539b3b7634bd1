import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Middleware } from 'koa';

/** How often connections are looked at that have nothing under way. */
const LOOK_MS = 100;
/** What a connection on which nothing has come yet gets: its request may be on the way. */
const UNUSED_MS = 1_000;

export interface DrainTimes {
  /** From readiness going off to the door being shut, in ms: for whoever balances the load to notice. */
  readonly pauseMs: number;
  /** What requests in flight get to finish after that, in ms. */
  readonly limitMs: number;
}

/**
 * How an API process takes leave of its clients. First readiness goes off, and each answer closes its connection, but
 * requests are still taken. Then no connection is accepted any more, and what is in flight finishes.
 */
export class Drain {
  #begun = false;
  readonly #connections = new Set<Socket>();

  get begun(): boolean {
    return this.#begun;
  }

  /** @returns whether everything was answered; false where what was left had to be cut */
  async run(server: Server, { pauseMs, limitMs }: DrainTimes): Promise<boolean> {
    this.#begun = true;
    await sleep(pauseMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const shutAt = performance.now();
    let cut = false;
    const looking = setInterval(() => {
      const elapsed = performance.now() - shutAt;
      server.closeIdleConnections();
      if (elapsed > UNUSED_MS) this.#closeUnused();
      if (elapsed <= limitMs) return;
      cut = true;
      server.closeAllConnections();
    }, LOOK_MS);
    await closed;
    clearInterval(looking);
    return !cut;
  }

  /** Keeps count of a server's connections, since those on which nothing has come are not idle in its eyes. */
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

/** Has each answer close its connection while the process drains, also one that was asked for before. */
export function closeConnections(drain: Pick<Drain, 'begun'>): Middleware {
  return async (ctx, next) => {
    await next();
    if (drain.begun) ctx.set('Connection', 'close');
  };
}
