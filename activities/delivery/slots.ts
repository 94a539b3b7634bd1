/** Counts what is under way in a process, against a limit. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Takes as many as are free, `wanted` at most. @returns how many */
  take(wanted: number): number {
    const taken = Math.max(0, Math.min(wanted, this.#free));
    this.#free -= taken;
    return taken;
  }

  give(count: number): void {
    if (count === 0) return;
    this.#free += count;
    for (const wake of this.#waiting) wake();
  }

  /** Waits until some are given back, `timeoutMs` at most. */
  freed(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(settle);
        resolve();
      };
      const timer = setTimeout(settle, timeoutMs);
      this.#waiting.add(settle);
    });
  }
}
