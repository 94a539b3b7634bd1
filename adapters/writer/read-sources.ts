import type { FetchedPage } from '../../domain/pipeline/sources.ts';
import type { Attempt } from '../../domain/pipeline/writer.ts';
import type { SourceReader } from './source.ts';

/** Characters of all pages together; each has an equal share. */
const TEXT_LENGTH = 40_000;

/** Reads the pages that a topic names, one after another. Those that cannot be read are reported. */
export async function readSources(
  sources: SourceReader,
  urls: readonly string[],
  attempt: Attempt,
): Promise<{ readonly pages: readonly FetchedPage[]; readonly problem: string | null }> {
  const pages: FetchedPage[] = [];
  const problems: string[] = [];
  for (const url of urls) {
    const source = await sources.read(url, attempt);
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
