import { readSitemap } from '../../../adapters/pages/read-sitemap.ts';
import { readSitemaps } from '../../../adapters/pages/sitemaps.ts';

const origin = 'https://a.example';

/** Reads the sitemaps of the origin. @returns how many were read, the pages, and whether that is all */
async function read(files: readonly string[], status = 200) {
  let reads = 0;
  const { pages, whole } = await readSitemaps(
    {
      named: async () => files.map((_, at) => `${origin}/${at}.txt`),
      fetch: async (url) => {
        const body = Buffer.from(files[Number(/(\d+)\.txt$/.exec(url)?.[1])] ?? '');
        return { outcome: 'answered', hops: [], url, status, headers: {}, body };
      },
      read: async (bytes) => {
        reads += 1;
        return readSitemap({ bytes, origin });
      },
    },
    origin,
  );
  return { reads, pages, whole };
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
  const { reads, pages, whole } = await read([foreign, foreign, addresses(origin, 3)]);
  expect([reads, pages, whole]).toEqual([2, [], false]);
});

test('no more than 10,000 pages are named', async () => {
  const { reads, pages, whole } = await read([0, 1, 2].map((at) => addresses(origin, 6_000, at * 6_000)));
  expect([reads, pages.length, whole]).toEqual([2, 10_000, false]);
});

const page = `<url><loc>${origin}/</loc></url>`;

test.each<[string, string, boolean]>([
  ['with its end', `<?xml version="1.0"?><s:urlset xmlns:s="s">${page}</s:urlset>\n`, true],
  ['without its end', `<urlset>${page}`, false],
  ['without a page', '<urlset xmlns="s"/>', true],
  ['of a page of HTML', `<html><body>${page}</body></html>`, false],
  ['of addresses', `\n${origin}/\n${origin}/a\n`, true],
  ['of other text', 'Too many requests', false],
  ['of nothing', '', false],
  ['of more than 50,000 addresses', addresses('https://b.example', 50_001), false],
])('a sitemap %s is read whole, or not', async (_, file, expected) => {
  expect((await read([file])).whole).toBe(expected);
});

test.each([
  [404, true],
  [410, true],
  [403, false],
  [503, false],
])('a sitemap that answers %d is missing for good, or cannot be read', async (status, whole) => {
  expect(await read([''], status)).toEqual({ reads: 0, pages: [], whole });
});
