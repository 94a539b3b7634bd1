/** Where the time comes from: injected, so that tests with skipped time agree with the timers that fired. */
export interface Clock {
  /** The present, at millisecond precision. */
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
