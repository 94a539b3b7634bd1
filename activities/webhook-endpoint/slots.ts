/** A number of attempts and the bytes of their bodies. */
export interface Share {
  readonly attempts: number;
  readonly bytes: number;
}

interface Waiting {
  readonly wanted: Share;
  readonly answer: (granted: Share) => void;
}

const NOTHING: Share = { attempts: 0, bytes: 0 };

/**
 * Limits the attempts in flight of a process and shares them among tenants, the organisations: one may hold as much as is
 * still free. So a single one gets at most half, every further one still gets a part, and only one that holds nothing
 * gets the last slot. A freed slot goes to the waiting one that holds the least.
 *
 * Not a `FairSemaphore` (runtime/fair-semaphore.ts) because one call takes several attempts with their bytes and may be
 * granted fewer, a tenant's share is not a fixed number, and bytes are added afterwards.
 */
export class Slots {
  readonly #free: { attempts: number; bytes: number };
  readonly #taken = new Map<string, { attempts: number; bytes: number }>();
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(limit: Share) {
    this.#free = { ...limit };
  }

  /**
   * Takes up to the wanted attempts, with all of the wanted bytes or nothing. Must be given back.
   *
   * @param waitMs how long to wait if nothing is free, in milliseconds
   */
  take(tenant: string, wanted: Share, waitMs: number): Promise<Share> {
    if (wanted.attempts <= 0) return Promise.resolve(NOTHING);
    // No waiting call could use the free permits, or it would have been granted.
    const granted = this.#grant(tenant, wanted, 1);
    if (granted.attempts > 0 || waitMs === 0) return Promise.resolve(granted);
    return new Promise((resolve) => {
      const queue = this.#waiting.get(tenant) ?? new Set();
      this.#waiting.set(tenant, queue);
      const waiting: Waiting = {
        wanted,
        answer: (answered) => {
          clearTimeout(timer);
          queue.delete(waiting);
          if (queue.size === 0 && this.#waiting.get(tenant) === queue) this.#waiting.delete(tenant);
          resolve(answered);
        },
      };
      const timer = setTimeout(() => waiting.answer(NOTHING), waitMs);
      queue.add(waiting);
    });
  }

  give(tenant: string, given: Share): void {
    if (given.attempts === 0 && given.bytes === 0) return;
    const taken = this.#of(tenant);
    const left = { attempts: taken.attempts - given.attempts, bytes: taken.bytes - given.bytes };
    if (left.attempts > 0 || left.bytes > 0) this.#taken.set(tenant, left);
    else this.#taken.delete(tenant);
    this.#free.attempts += given.attempts;
    this.#free.bytes += given.bytes;
    this.#pass();
  }

  /** Adds bytes of a body that is larger than its share; the free bytes may go below zero. */
  add(tenant: string, bytes: number): void {
    const { attempts, bytes: before } = this.#of(tenant);
    this.#taken.set(tenant, { attempts, bytes: before + bytes });
    this.#free.bytes -= bytes;
  }

  #of(tenant: string): Share {
    return this.#taken.get(tenant) ?? NOTHING;
  }

  /** How many attempts a tenant may start now, leaving as many for each of the `sharers` that wait. */
  #room(tenant: string, { attempts, bytes }: Share, sharers: number): number {
    const taken = this.#of(tenant);
    if (taken.bytes + bytes > this.#free.bytes) return 0;
    const most = Math.floor((this.#free.attempts - taken.attempts + 1) / 2);
    if (most <= 0) return 0;
    return Math.min(attempts, most, Math.max(1, Math.floor(this.#free.attempts / sharers)));
  }

  #grant(tenant: string, wanted: Share, sharers: number): Share {
    const attempts = this.#room(tenant, wanted, sharers);
    if (attempts === 0) return NOTHING;
    const taken = this.#of(tenant);
    this.#taken.set(tenant, {
      attempts: taken.attempts + attempts,
      bytes: taken.bytes + wanted.bytes,
    });
    this.#free.attempts -= attempts;
    this.#free.bytes -= wanted.bytes;
    return { attempts, bytes: wanted.bytes };
  }

  /** Grants free permits to waiting calls. */
  #pass(): void {
    for (;;) {
      let next: { tenant: string; waiting: Waiting } | undefined;
      for (const [tenant, queue] of this.#waiting) {
        const [waiting] = queue;
        if (waiting === undefined || this.#room(tenant, waiting.wanted, 1) === 0) continue;
        if (next === undefined || this.#of(tenant).attempts < this.#of(next.tenant).attempts)
          next = { tenant, waiting };
      }
      if (next === undefined) return;
      next.waiting.answer(this.#grant(next.tenant, next.waiting.wanted, this.#waiting.size));
    }
  }
}
