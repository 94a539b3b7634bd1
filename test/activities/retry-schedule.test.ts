import { defaultRetryDelays, nextAttemptAt } from '../../domain/webhooks/retry-schedule.ts';

/** A seeded random generator (mulberry32): the same numbers in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const failedAt = new Date('2026-01-01T00:00:00.000Z');

test.each([
  [1, 10_000],
  [2, 60_000],
  [3, 600_000],
  [4, 3_600_000],
  [5, 21_600_000],
])(
  'after attempt %d the next follows in %d ms and up to a quarter more, evenly distributed over 20,000 seeds',
  (attempt, delay) => {
    const factors = Array.from({ length: 20_000 }, (_, seed) => {
      const next = nextAttemptAt(defaultRetryDelays, attempt, failedAt, seeded(seed));
      return (next!.getTime() - failedAt.getTime()) / delay;
    });
    const [least, most] = [Math.min(...factors), Math.max(...factors)];
    expect(least).toBeGreaterThanOrEqual(1);
    expect(least).toBeLessThan(1.001);
    expect(most).toBeLessThanOrEqual(1.25);
    expect(most).toBeGreaterThan(1.249);
    const mean = factors.reduce((sum, factor) => sum + factor, 0) / factors.length;
    expect(mean).toBeCloseTo(1.125, 2);
  },
);

test('after the sixth attempt there is none', () => {
  expect(nextAttemptAt(defaultRetryDelays, 6, failedAt)).toBeNull();
});

test('the operator’s delays replace the default ones, with the same jitter', () => {
  const delays = [1_000, 2_000, 3_000, 4_000, 5_000];
  const after = (attempt: number, random: number) =>
    nextAttemptAt(delays, attempt, failedAt, () => random)!.getTime() - failedAt.getTime();
  expect([1, 2, 3, 4, 5].map((attempt) => after(attempt, 0))).toEqual(delays);
  expect([1, 2, 3, 4, 5].map((attempt) => after(attempt, 0.5))).toEqual(delays.map((delay) => delay * 1.125));
});
