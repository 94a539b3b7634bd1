import { readSitemap } from '../../../adapters/pages/read-sitemap.ts';
import { readSitemaps } from '../../../adapters/pages/sitemaps.ts';

const origin = 'https://a.example';

/** Reads the sitemaps of the origin, each a list of addresses in plain text. @returns how many were read, and the pages */
async function read(files: readonly string[]) {
  let reads = 0;
  const pages = await readSitemaps(
    {
      named: async () => files.map((_, at) => `${origin}/${at}.txt`),
      fetch: async (url) => {
        const body = Buffer.from(files[Number(/(\d+)\.txt$/.exec(url)?.[1])] ?? '');
        return { outcome: 'answered', hops: [], url, status: 200, headers: {}, body };
      },
      read: async (bytes) => {
        reads += 1;
        return readSitemap({ bytes, origin });
      },
    },
    origin,
  );
  return { reads, pages };
}

const addresses = (of: string, count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => `${of}/${from + at}`).join('\n');

test('the pages of the origin are named, those of others are not, and each is named once', async () => {
  const both = `${addresses(origin, 3)}\n${addresses('https://b.example', 3)}`;
  const { pages } = await read([both, `${origin}/#part`, both]);
  expect(pages).toEqual([`${origin}/0`, `${origin}/1`, `${origin}/2`, `${origin}/`]);
});

test('addresses of other origins end the reading as well', async () => {
  const foreign = addresses('https://b.example', 30_000);
  const { reads, pages } = await read([foreign, foreign, addresses(origin, 3)]);
  expect([reads, pages]).toEqual([2, []]);
});

test('no more than 10,000 pages are named', async () => {
  const { reads, pages } = await read([0, 1, 2].map((at) => addresses(origin, 6_000, at * 6_000)));
  expect([reads, pages.length]).toEqual([2, 10_000]);
});
