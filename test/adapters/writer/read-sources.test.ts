import { TooBusy } from '../../../adapters/pages/visit.ts';
import { readSources } from '../../../adapters/writer/read-sources.ts';

const attempt = { siteId: 'a site', signal: new AbortController().signal };
const page = (name: string | number): string => `https://${name}.example/`;
const says = (url: string) => ({ url, title: null, published_at: null, text: 'Rye.', problem: null });
const busy = new TooBusy('too many requests to the host wait');

test('four pages are read at once, and stay in their order', async () => {
  let [running, most] = [0, 0];
  const named = Array.from({ length: 10 }, (_, index) => page(index));
  const { pages, problem } = await readSources(
    {
      async read(url) {
        running += 1;
        most = Math.max(most, running);
        // The first ones take the longest.
        for (let turns = 10 - named.indexOf(url); turns > 0; turns -= 1) await new Promise(setImmediate);
        running -= 1;
        return says(url);
      },
    },
    named,
    attempt,
  );
  expect([most, problem]).toEqual([4, null]);
  expect(pages.map(({ url }) => url)).toEqual(named);
});

test('after a page that should be read later no other is begun', async () => {
  const begun: string[] = [];
  const named = [page('busy'), ...Array.from({ length: 9 }, (_, index) => page(index))];
  const reading = readSources(
    {
      async read(url) {
        begun.push(url);
        await new Promise(setImmediate);
        if (url.includes('busy')) throw busy;
        return says(url);
      },
    },
    named,
    attempt,
  );
  await expect(reading).rejects.toBe(busy);
  await new Promise(setImmediate);
  expect(begun).toEqual(named.slice(0, 4));
});
