import type { FetchedPage } from '../../domain/pipeline/sources.ts';
import type { Attempt } from '../../domain/pipeline/writer.ts';
import type { SourceReader } from './source.ts';

/** Characters of all pages together; each has an equal share. */
const TEXT_LENGTH = 40_000;
const AT_ONCE = 4;

/** Reads the pages that a topic names, four at once, and keeps their order. Those that cannot be read are reported. */
export async function readSources(
  sources: SourceReader,
  urls: readonly string[],
  attempt: Attempt,
): Promise<{ readonly pages: readonly FetchedPage[]; readonly problem: string | null }> {
  const pages: FetchedPage[] = [];
  const problems: string[] = [];
  const read = await fewAtOnce(urls, async (url) => ({ url, source: await sources.read(url, attempt) }));
  for (const { url, source } of read) {
    if (source.text === null) {
      if (source.problem !== null)
        problems.push(urls.length === 1 ? source.problem : `${url}: ${source.problem}`);
    } else {
      const { url: final, title, published_at, text } = source;
      pages.push({ url: final, title, published_at, text });
    }
  }
  const share = Math.floor(TEXT_LENGTH / pages.length);
  return {
    pages: pages.map((page) => ({ ...page, text: page.text.slice(0, share).toWellFormed() })),
    problem: problems.join(' ') || null,
  };
}

/** Works on items, and begins no other once one has failed. @returns the results in the order of the items */
async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()].toReversed();
  const one = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [index, item] = next;
      try {
        results[index] = await work(item);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return results;
}
