/** Counts what is under way in a process, against a limit. */
export class Slots {
  readonly #limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get free(): number {
    return this.#limit - this.#taken;
  }

  take(): void {
    this.#taken += 1;
  }

  give(): void {
    this.#taken -= 1;
  }
}
