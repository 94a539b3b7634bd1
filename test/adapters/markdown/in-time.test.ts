import { inTime, OutOfTime } from '../../../adapters/markdown/in-time.ts';

test('work that would never end is stopped, and the next one is done', () => {
  const begun = performance.now();
  expect(() =>
    inTime(50, () => {
      for (;;);
    }),
  ).toThrow(OutOfTime);
  expect(performance.now() - begun).toBeGreaterThan(45);
  expect(inTime(1_000, () => 'done')).toBe('done');
});

test('a search by a regular expression is stopped, too', () => {
  expect(() => inTime(50, () => /^(a+)+$/.test(`${'a'.repeat(60)}b`))).toThrow(OutOfTime);
});

test('an error of the work is thrown as it is', () => {
  const error = new TypeError('mine');
  expect(() =>
    inTime(1_000, () => {
      throw error;
    }),
  ).toThrow(error);
});
