import { RANK_LENGTH, rankBetween, rankOf } from '../../../domain/content-plan/rank.ts';

/** A sequence that looks random, and is the same in each run. */
function* numbers(): Generator<number> {
  for (let seed = 7; ;) yield (seed = (seed * 48_271) % 2_147_483_647);
}

test('a rank is between its neighbours, wherever items are put', () => {
  const plan: string[] = [];
  const random = numbers();
  for (let count = 0; count < 5_000; count += 1) {
    const place = (random.next().value as number) % (plan.length + 1);
    const [before = null, after = null] = [plan[place - 1], plan[place]];
    const rank = rankBetween(before, after);
    expect(before === null || before < rank).toBe(true);
    expect(after === null || rank < after).toBe(true);
    plan.splice(place, 0, rank);
  }
  expect(Math.max(...plan.map(({ length }) => length))).toBeLessThan(20);
});

test.each([
  ['behind the first', (low: string, _: string, rank: string) => [low, rank]],
  ['before the last', (_: string, high: string, rank: string) => [rank, high]],
])('hundreds of items are put to one place, %s, before its ranks get long', (_, next) => {
  let [low, high] = [rankOf(0), rankOf(1)];
  for (let count = 0; count < 400; count += 1) {
    const rank = rankBetween(low, high);
    expect(low < rank && rank < high).toBe(true);
    expect(rank.length).toBeLessThanOrEqual(RANK_LENGTH);
    [low = '', high = ''] = next(low, high, rank);
  }
});

test('ranks at both ends of a plan stay short', () => {
  let [first, last] = [rankBetween(null, null), rankBetween(null, null)];
  for (let count = 0; count < 10_000; count += 1) {
    const [top, end] = [rankBetween(null, first), rankBetween(last, null)];
    expect(top < first && last < end).toBe(true);
    [first, last] = [top, end];
  }
  expect([first.length, last.length]).toEqual([6, 6]);
});
