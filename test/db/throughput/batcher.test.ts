import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../runtime/home.ts';
import { createBatcher } from '../../../db/throughput/batcher.ts';
import { ranOutOfTime } from '../../../db/failures.ts';

const never = new Promise<never>(() => {});
const reasonOf = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error);

test('batches that are never answered do not block later requests', async () => {
  const ask = createBatcher(async (asked: readonly string[]) => (asked.includes('lost') ? never : asked), {
    batches: 3,
    patienceMs: 50,
    limitMs: 5_000,
  });
  for (let batch = 1; batch <= 3; batch += 1) {
    void reasonOf(ask('lost'));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await ask('later')).toBe('later');
});

test('a request that is not answered in time is rejected, whether it was sent or waits', async () => {
  const ask = createBatcher(() => never, { batches: 1, patienceMs: 60_000, limitMs: 50 });
  const asked = [ask(1)];
  await new Promise((resolve) => setImmediate(resolve));
  asked.push(ask(2));
  for (const error of await Promise.all(asked.map(reasonOf))) expect(ranOutOfTime(error)).toBe(true);
});

test('a timed-out request is not sent any more', async () => {
  const seen: number[] = [];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const ask = createBatcher(
    async (asked: readonly number[]) => {
      seen.push(...asked);
      await held;
      return asked;
    },
    { batches: 1, limitMs: 50, patienceMs: 60_000 },
  );
  const first = reasonOf(ask(1));
  await new Promise((resolve) => setImmediate(resolve));
  await reasonOf(ask(2));
  release();
  await first;
  await ask(3);
  expect(seen).toEqual([1, 3]);
});

test('waiting requests are limited: the next one is rejected at once', async () => {
  const ask = createBatcher(() => never, { batches: 1, waiting: 2, limitMs: 200 });
  const asked = Array.from({ length: 3 }, (_, n) => reasonOf(ask(n)));
  let ended = 0;
  for (const waiting of asked.slice(0, 2)) void waiting.then(() => (ended += 1));
  expect(ranOutOfTime(await asked[2])).toBe(true);
  expect(ended).toBe(0);
  await Promise.all(asked);
});

test('answers are collected while they are young: 190 MB of them need no collection of the whole heap', async () => {
  const program = join(root, 'test/db/throughput/many-answers.ts');
  // The young generation is that of runtime/run.sh.
  const young = ['--min-semi-space-size=8', '--max-semi-space-size=8'];
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', ...young, program]);
  // One or two come from the start. With a Set as the queue there were six (runtime/README.md).
  expect(Number(stdout)).toBeLessThanOrEqual(3);
});
