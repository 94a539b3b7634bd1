import { outOfTime } from '../../domain/kernel/errors.ts';

/** Requests for at most this many bytes are small: room is reserved for them while larger ones wait. */
export const SMALL = 16_384;
/** The part of the total that large requests may use; the rest is reserved for small ones. */
const FOR_LARGE = 3 / 4;
/** Requests that may wait: of all clients, and of one, which so leaves places to the others. */
const WAITING_AT_MOST = 2_000;
const WAITING_OF_CLIENT = 500;

interface Client {
  readonly name: string;
  /** Bytes. */
  held: number;
  /** Requests. */
  waiting: number;
}

interface Waiting {
  readonly client: Client;
  readonly bytes: number;
  readonly grant: () => void;
}

export interface ByteBudgetOptions {
  /** Bytes that all clients together may hold. */
  readonly total: number;
  /** The part of the total that one client may hold. */
  readonly perClient: number;
  /** The longest wait for a share. */
  readonly waitMs: number;
}

/**
 * A fair budget of the process's memory. A request that does not fit waits in a queue. Room that comes free goes to the
 * client that holds the least; among equals, to the request that came first. A client that has used up its share, or
 * its places in the queue, delays only itself. A client that holds nothing gets one request of any size, if there is room.
 */
export class ByteBudget {
  readonly #total: number;
  readonly #perClient: number;
  readonly #waitMs: number;
  /** Clients that hold bytes or wait for them. */
  readonly #clients = new Map<string, Client>();
  readonly #waiting = new Set<Waiting>();
  #held = 0;

  constructor({ total, perClient, waitMs }: ByteBudgetOptions) {
    this.#total = total;
    this.#perClient = perClient;
    this.#waitMs = waitMs;
  }

  /** Bytes held now. */
  get held(): number {
    return this.#held;
  }

  /**
   * @param name of the client that owns the share
   * @param gone ends the wait if the client has disconnected
   * @returns releases the share; a second call does nothing
   * @throws ServiceError MAINTENANCE if there was no room in time, or too many wait; the signal's reason if it is aborted
   */
  async take(name: string, bytes: number, gone?: AbortSignal): Promise<() => void> {
    gone?.throwIfAborted();
    // Holding nothing, it would not be known as the client's own.
    if (bytes === 0) return () => {};
    const client = this.#clients.get(name) ?? { name, held: 0, waiting: 0 };
    // A new request must not overtake one of its kind that is waiting.
    if (this.#waiting.size > 0 || !this.#fits(client, bytes)) await this.#wait(client, bytes, gone);
    else this.#change(client, { held: bytes });
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#change(client, { held: -bytes });
      this.#grant();
    };
  }

  #wait(client: Client, bytes: number, gone?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (held: number): void => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', leave);
        this.#waiting.delete(waiting);
        this.#change(client, { held, waiting: -1 });
      };
      const refuse = (reason: Error): void => {
        end(0);
        reject(reason);
        // Later requests may have waited for this one only.
        this.#grant();
      };
      const waiting: Waiting = {
        client,
        bytes,
        grant: () => {
          end(bytes);
          resolve();
        },
      };
      const leave = (): void => refuse(gone?.reason as Error);
      const late = new Error('other requests hold all the memory for this');
      const timer = setTimeout(() => refuse(outOfTime(late)), this.#waitMs);
      gone?.addEventListener('abort', leave);
      this.#waiting.add(waiting);
      this.#change(client, { waiting: 1 });
      // It may be admitted at once: others may wait for their own share only. Then it needs no place in the queue.
      this.#grant();
      if (this.#waiting.has(waiting) && this.#isFull(client))
        refuse(outOfTime(new Error('too many requests are already waiting for memory')));
    });
  }

  #isFull(client: Client): boolean {
    return client.waiting > WAITING_OF_CLIENT || this.#waiting.size > WAITING_AT_MOST;
  }

  /** Admits waiting requests in their turn; skips clients at their share, and large requests while there is no room. */
  #grant(): void {
    let largest = Infinity;
    for (;;) {
      const next = this.#next(largest);
      if (next === undefined) return;
      if (this.#hasRoom(next.bytes)) next.grant();
      else if (next.bytes > SMALL) largest = SMALL;
      else return;
    }
  }

  /** Of the waiting requests up to a size, the one whose turn it is. */
  #next(largest: number): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      const { client, bytes } = waiting;
      if (bytes > largest || !this.#isWithinShare(client, bytes)) continue;
      if (next === undefined || client.held < next.client.held) next = waiting;
    }
    return next;
  }

  #fits(client: Client, bytes: number): boolean {
    return this.#isWithinShare(client, bytes) && this.#hasRoom(bytes);
  }

  #isWithinShare({ held }: Client, bytes: number): boolean {
    return held === 0 || held + bytes <= this.#total * this.#perClient;
  }

  #hasRoom(bytes: number): boolean {
    const room = bytes <= SMALL ? this.#total : this.#total * FOR_LARGE;
    return this.#held === 0 || this.#held + bytes <= room;
  }

  #change(client: Client, { held = 0, waiting = 0 }: Partial<Client>): void {
    this.#held += held;
    client.held += held;
    client.waiting += waiting;
    if (client.held > 0 || client.waiting > 0) this.#clients.set(client.name, client);
    else this.#clients.delete(client.name);
  }
}
