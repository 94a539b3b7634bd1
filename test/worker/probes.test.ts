import { liveness, readiness } from '../../worker/probes.ts';
import type { Watched } from '../../worker/probes.ts';

describe('a worker whose loops come round', () => {
  const working: Watched = { temporal: 'running', loops: { relay: 10, poll: 10, publisher: 10 } };
  const changed = (change: Partial<Watched>): Watched => ({ ...working, ...change });

  test.each([
    ['running', true],
    ['unreachable', true],
    ['connecting', false],
    ['starting', false],
    ['ending', false],
  ] as const)('with a Temporal that is %s is ready: %s', (temporal, ok) => {
    expect(readiness(changed({ temporal })).ok).toBe(ok);
    expect(liveness(changed({ temporal })).ok).toBe(true);
  });

  test.each([
    [{ relay: null, poll: 10, publisher: 10 }, true, true],
    [{ relay: 31_000, poll: 10, publisher: 10 }, false, true],
    [{ relay: 10, poll: 31_000, publisher: 10 }, false, true],
    [{ relay: 10, poll: 10, publisher: 31_000 }, false, true],
    [{ relay: 301_000, poll: 10, publisher: 10 }, false, false],
    [{ relay: null, poll: 301_000, publisher: 10 }, false, false],
    [{ relay: null, poll: 10, publisher: 301_000 }, false, false],
  ] as const)('%j: ready %s, alive %s', (loops, ready, alive) => {
    expect([readiness(changed({ loops })).ok, liveness(changed({ loops })).ok]).toEqual([ready, alive]);
  });
});
