import fc from 'fast-check';
import { LONGEST_MS, MOST_BYTES, MOST_DRAFTS, toForget } from '../../../dashboard/drafts/draft.ts';
import type { Draft } from '../../../dashboard/drafts/draft.ts';
import { DraftKeeper } from '../../../dashboard/drafts/draft-keeper.ts';

const NOW = Date.UTC(2026, 10, 24);

test('what is kept stays within the bounds, the newest stays, and no newer one goes before an older one', () => {
  const size = fc.record({
    keptAt: fc.integer({ min: NOW - 2 * LONGEST_MS, max: NOW }),
    bytes: fc.nat(5_000_000),
  });
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 80 }), (all) => {
      const sizes = all.map((one, index) => ({ ...one, id: String(index) }));
      const forgotten = new Set(toForget(sizes, NOW));
      const stays = sizes.filter(({ id }) => !forgotten.has(id));
      const times = stays.map(({ keptAt }) => keptAt);
      expect(stays.length).toBeLessThanOrEqual(MOST_DRAFTS);
      expect(stays.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MOST_BYTES);
      for (const { id, keptAt } of sizes) {
        if (NOW - keptAt > LONGEST_MS) expect(forgotten).toContain(id);
        if (forgotten.has(id)) for (const time of times) expect(time).toBeGreaterThanOrEqual(keptAt);
      }
    }),
  );
});

test('one draft may exceed the bytes', () => {
  expect(toForget([{ id: 'a', keptAt: NOW, bytes: 2 * MOST_BYTES }], NOW)).toEqual([]);
});

describe('keeping', () => {
  let stored: string | null;
  let writes: (() => void)[];
  let frames: (() => void)[];
  let failures: unknown[];
  let keeper: DraftKeeper<string>;
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const write = (value: string | null): Promise<void> =>
    new Promise((resolve) => {
      writes.push(() => {
        stored = value;
        resolve();
      });
    });

  beforeEach(() => {
    [stored, writes, frames, failures] = [null, [], [], []];
    keeper = new DraftKeeper('id', {
      store: { keep: (draft: Draft<unknown>) => write(draft.kept as string), forget: () => write(null) },
      nextFrame: (then) => frames.push(then),
      onFailure: (error) => failures.push(error),
      onKept: () => {},
    });
  });
  const keep = (kept: string): void => keeper.keep({ place: 'p', keptAt: NOW, bytes: 1, kept });

  test('writes once a frame, the newest text', async () => {
    for (const text of ['a', 'ab', 'abc']) keep(text);
    expect([frames.length, writes.length]).toEqual([1, 0]);
    frames.shift()?.();
    writes.shift()?.();
    await settle();
    expect([stored, writes.length]).toEqual(['abc', 0]);
  });

  test('starts the next write when the one before has ended, and then with the newest text', async () => {
    keep('a');
    frames.shift()?.();
    for (const text of ['ab', 'abc']) {
      keep(text);
      frames.shift()?.();
    }
    expect(writes).toHaveLength(1);
    writes.shift()?.();
    await settle();
    writes.shift()?.();
    await settle();
    expect([stored, writes.length]).toEqual(['abc', 0]);
  });

  test('forgets after what was being written', async () => {
    keep('a');
    frames.shift()?.();
    keeper.forget();
    frames.shift()?.();
    writes.shift()?.();
    await settle();
    writes.shift()?.();
    await settle();
    expect(stored).toBeNull();
  });

  test('writes without a frame when it is flushed', async () => {
    keep('a');
    const flushed = keeper.flush();
    writes.shift()?.();
    await flushed;
    expect(stored).toBe('a');
  });
});
