export interface FairSemaphoreOptions {
  /** Total permits; Infinity if something else limits them. */
  readonly permits: number;
  /** Maximum permits per tenant. */
  readonly tenantPermits: number;
  /** Permits that only tenants that hold none may take; none by default. */
  readonly reserved?: number;
  /** Maximum waiting calls, in total and per tenant. */
  readonly waiting: number;
  readonly tenantWaiting: number;
  /** Maximum wait of a call, in ms. */
  readonly longestWaitMs: number;
}

export interface AcquireOptions {
  /** Ends the wait with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the semaphore's, in ms; with 0 or less the call does not wait. */
  readonly longestWaitMs?: number | undefined;
}

/** No permit was free in time, or too many calls are waiting. */
export class NoPermit extends Error {
  override name = 'NoPermit';
  /** Whether the tenant's own share is used up, not the total. */
  readonly ownShare: boolean;
  /** Whether the call waited, instead of being refused at once. */
  readonly waited: boolean;

  constructor({ ownShare, waited }: { readonly ownShare: boolean; readonly waited: boolean }) {
    const whose = ownShare ? 'of this tenant ' : '';
    super(waited ? `No permit ${whose}came free in time` : `Too many calls ${whose}wait for a permit`);
    this.ownShare = ownShare;
    this.waited = waited;
  }
}

/** Gives the permit back. Calling it again has no effect. */
export type Release = () => void;

interface Tenant {
  readonly name: string;
  held: number;
  /** Each admits one waiting call, in order of arrival. */
  readonly waiting: Set<() => void>;
}

/**
 * A semaphore whose permits are shared among tenants, such as Sites or networks of clients. A permit that is released
 * goes to the waiting tenant that holds the fewest; tenants that hold equally many take turns. So a tenant that asks
 * for much delays only itself.
 *
 * Acquiring takes constant time. Releasing takes at most `tenantPermits` steps, however many calls wait.
 */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  /** Tenants that hold permits or wait for one. */
  readonly #tenants = new Map<string, Tenant>();
  /** Waiting tenants that may hold one more permit, by how many they hold; each line in order of turns. */
  readonly #lines: readonly Set<Tenant>[];
  #free: number;
  #waiting = 0;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#free = options.permits;
    this.#lines = Array.from({ length: options.tenantPermits }, () => new Set());
  }

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs work with a permit.
   *
   * @throws NoPermit or the signal's reason, before the work begins
   */
  async run<T>(tenant: string, work: () => Promise<T>, options?: AcquireOptions): Promise<T> {
    const release = await this.acquire(tenant, options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** @throws NoPermit or the signal's reason */
  async acquire(
    name: string,
    { signal, longestWaitMs = this.#options.longestWaitMs }: AcquireOptions = {},
  ): Promise<Release> {
    signal?.throwIfAborted();
    const tenant = this.#tenants.get(name) ?? { name, held: 0, waiting: new Set() };
    const ownShare = this.#hasItsShare(tenant);
    if (!ownShare && this.#isFreeFor(tenant)) return this.#grant(tenant);
    if (tenant.waiting.size >= this.#options.tenantWaiting)
      throw new NoPermit({ ownShare: true, waited: false });
    if (this.#waiting >= this.#options.waiting) throw new NoPermit({ ownShare: false, waited: false });
    if (longestWaitMs <= 0) throw new NoPermit({ ownShare, waited: true });
    return this.#wait(tenant, longestWaitMs, signal);
  }

  #hasItsShare(tenant: Tenant): boolean {
    return tenant.held >= this.#options.tenantPermits;
  }

  #isFreeFor({ held }: Tenant): boolean {
    return this.#free > (held === 0 ? 0 : (this.#options.reserved ?? 0));
  }

  #wait(tenant: Tenant, longestWaitMs: number, signal?: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#waiting -= 1;
        tenant.waiting.delete(admit);
        this.#place(tenant);
      };
      const admit = (): void => {
        leave();
        resolve(this.#grant(tenant));
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        leave();
        reject(new NoPermit({ ownShare: this.#hasItsShare(tenant), waited: true }));
      }, longestWaitMs);
      signal?.addEventListener('abort', abort);
      this.#waiting += 1;
      tenant.waiting.add(admit);
      this.#place(tenant);
    });
  }

  #grant(tenant: Tenant): Release {
    this.#changeHeld(tenant, 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#changeHeld(tenant, -1);
      this.#admitNext();
    };
  }

  #changeHeld(tenant: Tenant, by: 1 | -1): void {
    this.#lines[tenant.held]?.delete(tenant);
    tenant.held += by;
    this.#free -= by;
    this.#place(tenant);
  }

  /** Puts a waiting tenant into its line. A tenant with its full share has none. */
  #place(tenant: Tenant): void {
    const line = this.#lines[tenant.held];
    if (tenant.waiting.size > 0) line?.add(tenant);
    else line?.delete(tenant);
    if (tenant.held > 0 || tenant.waiting.size > 0) this.#tenants.set(tenant.name, tenant);
    else this.#tenants.delete(tenant.name);
  }

  #admitNext(): void {
    if (this.#waiting === 0) return;
    for (const line of this.#lines) {
      const [tenant] = line;
      const [admit] = tenant?.waiting ?? [];
      if (tenant === undefined || admit === undefined) continue;
      if (this.#isFreeFor(tenant)) admit();
      return;
    }
  }
}
