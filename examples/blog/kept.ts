/** A failed renewal is not repeated sooner, so that an API that hangs does not slow every reader down. */
const RETRY_MS = 5_000;

interface Entry<Value> {
  readonly value: Value;
  freshUntil: number;
}

export interface KeptOptions<Value> {
  /** How long a value is used without being asked for again. */
  readonly freshMs: number;
  readonly maxBytes: number;
  /** The size of a value in bytes; 0 if it must not be kept. */
  readonly size: (value: Value) => number;
}

/**
 * Values that are made once and kept in memory, up to a number of bytes; what was not used for longest goes first. One
 * that cannot be made anew is used on, so that readers do not notice when the API is away.
 */
export class Kept<Value> {
  readonly #options: KeptOptions<Value>;
  readonly #entries = new Map<string, Entry<Value>>();
  #making = new Map<string, Promise<Value>>();
  #bytes = 0;

  constructor(options: KeptOptions<Value>) {
    this.#options = options;
  }

  /** @param make called once, however many ask at the same time */
  async read(key: string, make: () => Promise<Value>): Promise<Value> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.freshUntil > Date.now()) {
      // The order of the map is that of the last use.
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      return entry.value;
    }
    try {
      return await (this.#making.get(key) ?? this.#make(key, make));
    } catch (error) {
      const known = this.#entries.get(key);
      if (known === undefined) throw error;
      known.freshUntil = Date.now() + RETRY_MS;
      return known.value;
    }
  }

  /** Something changed: everything is asked for again before it is used, and used on if that fails. */
  expire(): void {
    for (const entry of this.#entries.values()) entry.freshUntil = 0;
    this.#making = new Map();
  }

  /** Something was withdrawn: nothing from before is used any more. */
  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
    this.#making = new Map();
  }

  #make(key: string, make: () => Promise<Value>): Promise<Value> {
    // A page that is being made while something changes may be old, so it is neither shared nor kept after that.
    const making = this.#making;
    const made = make()
      .then((value) => {
        if (this.#making === making) this.#keep(key, value);
        return value;
      })
      .finally(() => making.delete(key));
    making.set(key, made);
    return made;
  }

  #keep(key: string, value: Value): void {
    this.#remove(key);
    const { size, maxBytes, freshMs } = this.#options;
    if (size(value) === 0 || size(value) > maxBytes) return;
    this.#entries.set(key, { value, freshUntil: Date.now() + freshMs });
    this.#bytes += size(value);
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= this.#options.size(entry.value);
  }
}
