/** The source of time. It is injected, so that in tests that skip time it agrees with the timers that fired. */
export interface Clock {
  /** The current time, in milliseconds. */
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
