import { register } from '@prometheus-io/client';
import { reading } from '../../../observability/metrics/reading.ts';

/** A source that returns the last given value. */
function source(name: string, read: () => Promise<number>) {
  const shown: (number | null)[] = [];
  const look = reading({
    name,
    read,
    show: (value) => void shown.push(value),
    hide: () => void shown.push(null),
  });
  return { look, shown };
}

const failures = async (name: string): Promise<number | undefined> =>
  (await register.getSingleMetric('presswork_scrape_failures_total')?.get())?.values.find(
    ({ labels }) => labels['source'] === name,
  )?.value;

test('an unreadable metric is removed instead of keeping its old value, and is counted', async () => {
  const answers = [async () => 1, () => Promise.reject(new Error('away')), async () => 2];
  const { look, shown } = source('failing', () => (answers.shift() ?? (async () => 0))());
  expect(await failures('failing')).toBe(0);
  for (let scrape = 1; scrape <= 3; scrape += 1) await look();
  expect(shown).toEqual([1, null, 2]);
  expect(await failures('failing')).toBe(1);
});

test('a hanging source is left out, and not read again before it has answered', async () => {
  let asked = 0;
  let answer: (value: number) => void = () => {};
  const { look, shown } = source('hanging', () => {
    asked += 1;
    return new Promise((resolve) => (answer = resolve));
  });
  await look();
  await look();
  expect(shown).toEqual([null, null]);
  expect(asked).toBe(1);
  // A late value belongs to an earlier scrape.
  answer(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown).toEqual([null, null]);
  const later = look();
  answer(2);
  await later;
  expect(asked).toBe(2);
  expect(shown.at(-1)).toBe(2);
  expect(await failures('hanging')).toBe(2);
});
