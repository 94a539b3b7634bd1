import { oneByOne, visitAll } from '../../../activities/seo-scan/follow.ts';
import { TooBusy } from '../../../adapters/pages/visit.ts';
import type { Visit } from '../../../adapters/pages/visit.ts';

const options = { siteId: 'site', signal: new AbortController().signal, read: false };
const loop: Visit = { outcome: 'loop', hops: [] };

/** @param busy hosts without a turn @param broken hosts whose visits fail on our side */
const pagesOf = (busy: readonly string[], broken: readonly string[] = []) => ({
  visit: async (url: string): Promise<Visit> => {
    const { host } = new URL(url);
    if (busy.includes(host)) throw new TooBusy('too many wait');
    if (broken.includes(host)) throw new Error('a defect');
    return loop;
  },
});
const urls = ['https://a.example/1', 'https://b.example/1', 'https://a.example/2', 'https://b.example/1'];
const visited = async (pages: ReturnType<typeof pagesOf>) => [
  ...(await visitAll(pages, urls, options, (_, url) => url)).keys(),
];

const { now } = performance;
afterEach(() => void (performance.now = now));

/** Lets the time of a step pass with each look at the clock. */
const hurry = (): void => {
  let passed = 0;
  performance.now = () => (passed += 3 * 60_000);
};

test('each address is visited once; those of a host without a turn are left for the next step', async () => {
  expect(await visited(pagesOf([]))).toHaveLength(3);
  expect(await visited(pagesOf(['a.example']))).toEqual(['https://b.example/1']);
  await expect(visited(pagesOf(['a.example', 'b.example']))).rejects.toThrow(TooBusy);
  await expect(visited(pagesOf(['a.example'], ['b.example']))).rejects.toThrow('a defect');
});

test('when the time of a step is over, the rest is left for the next one, which gets at least one', async () => {
  hurry();
  expect(await visited(pagesOf([]))).toEqual(['https://a.example/1', 'https://b.example/1']);
  expect(await oneByOne([1, 2, 3], async (one) => one)).toEqual([1]);
});

test('one by one, what comes before a host without a turn is kept', async () => {
  const take = async (one: number): Promise<number> => {
    if (one === 2) throw new TooBusy('too many wait');
    return one;
  };
  expect(await oneByOne([1, 2, 3], take)).toEqual([1]);
  await expect(oneByOne([2, 3], take)).rejects.toThrow(TooBusy);
});
