/** Measures the time of a request, without the time that it waits inside this process. */
export class Stopwatch {
  readonly #controller = new AbortController();
  readonly #limitMs: number;
  readonly #late: () => Error;
  #counted = 0;
  #held = 0;
  #since = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** @param late creates the abort reason for when `limitMs` is over */
  constructor(limitMs: number, late: () => Error) {
    this.#limitMs = limitMs;
    this.#late = late;
    this.#arm();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** How long it has been on hold, in milliseconds. */
  get heldMs(): number {
    return this.#timer === undefined ? this.#held + performance.now() - this.#since : this.#held;
  }

  /** Pauses until it is resumed. */
  hold(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = performance.now();
    this.#counted += now - this.#since;
    this.#since = now;
  }

  resume(): void {
    if (this.#timer !== undefined) return;
    const now = performance.now();
    this.#held += now - this.#since;
    this.#since = now;
    this.#arm();
  }

  /** Stops for good: the signal is no longer aborted. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    this.#timer = setTimeout(() => this.#controller.abort(this.#late()), this.#limitMs - this.#counted);
  }
}
