import type { Clock } from '../../domain/kernel/clock.ts';

/** A clock that runs until it is frozen, and can be advanced. */
export class TestClock implements Clock {
  #offset = 0;
  #frozen: number | null = null;

  now(): Date {
    return new Date((this.#frozen ?? Date.now()) + this.#offset);
  }

  /** Stops it, now or at a given time. */
  freeze(at?: Date): void {
    this.#frozen = this.now().getTime();
    this.#offset = 0;
    if (at !== undefined) this.#frozen = at.getTime();
  }

  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  /** Advances to a time, unless it has passed. */
  advanceTo(time: Date): void {
    this.advance(Math.max(0, time.getTime() - this.now().getTime()));
  }
}
