import { outOfTime } from '../domain/errors.ts';

/** Requests for at most this many bytes are small: room is reserved for them while larger ones wait. */
export const SMALL = 16_384;
/** The part of the total that large requests may use; the rest is reserved for small ones. */
const FOR_LARGE = 3 / 4;
const WAITING_AT_MOST = 1_000;

interface Waiting {
  readonly client: string;
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
 * A fair budget of the process's memory. A request that does not fit waits in a queue. A client that has used up its
 * share delays only itself. A client that holds nothing gets one request of any size, if there is room.
 */
export class ByteBudget {
  readonly #total: number;
  readonly #perClient: number;
  readonly #waitMs: number;
  readonly #byClient = new Map<string, number>();
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
   * @param client the owner of the share
   * @param gone ends the wait if the client has disconnected
   * @returns releases the share; a second call does nothing
   * @throws ServiceError MAINTENANCE if there was no room in time; the signal's reason if it is aborted
   */
  async take(client: string, bytes: number, gone?: AbortSignal): Promise<() => void> {
    gone?.throwIfAborted();
    // A new request must not overtake one of its kind that is waiting.
    if (this.#waiting.size > 0 || !this.#fits(client, bytes)) await this.#wait(client, bytes, gone);
    else this.#hold(client, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#hold(client, -bytes);
      this.#grant();
    };
  }

  #wait(client: string, bytes: number, gone?: AbortSignal): Promise<void> {
    if (this.#waiting.size >= WAITING_AT_MOST) {
      return Promise.reject(
        outOfTime(new Error(`${WAITING_AT_MOST} requests are already waiting for memory`)),
      );
    }
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', leave);
        this.#waiting.delete(waiting);
      };
      const refuse = (reason: Error): void => {
        end();
        reject(reason);
        // Later requests may have waited for this one only.
        this.#grant();
      };
      const waiting: Waiting = {
        client,
        bytes,
        grant: () => {
          this.#hold(client, bytes);
          end();
          resolve();
        },
      };
      const leave = (): void => refuse(gone?.reason as Error);
      const late = new Error('other requests hold all the memory for this');
      const timer = setTimeout(() => refuse(outOfTime(late)), this.#waitMs);
      gone?.addEventListener('abort', leave);
      this.#waiting.add(waiting);
      // It may be admitted at once: earlier requests may belong to a client that has used up its share.
      this.#grant();
    });
  }

  /** Admits waiting requests in order; skips clients at their share, and large requests while there is no room. */
  #grant(): void {
    let largeWait = false;
    for (const waiting of this.#waiting) {
      const { client, bytes, grant } = waiting;
      if (!this.#isWithinShare(client, bytes) || (largeWait && bytes > SMALL)) continue;
      if (this.#hasRoom(bytes)) grant();
      else if (bytes > SMALL) largeWait = true;
      else return;
    }
  }

  #fits(client: string, bytes: number): boolean {
    return this.#isWithinShare(client, bytes) && this.#hasRoom(bytes);
  }

  #isWithinShare(client: string, bytes: number): boolean {
    const held = this.#byClient.get(client) ?? 0;
    return held === 0 || held + bytes <= this.#total * this.#perClient;
  }

  #hasRoom(bytes: number): boolean {
    const room = bytes <= SMALL ? this.#total : this.#total * FOR_LARGE;
    return this.#held === 0 || this.#held + bytes <= room;
  }

  #hold(client: string, bytes: number): void {
    this.#held += bytes;
    const held = (this.#byClient.get(client) ?? 0) + bytes;
    if (held > 0) this.#byClient.set(client, held);
    else this.#byClient.delete(client);
  }
}
