import type { FetchedPage } from '../../domain/pipeline/sources.ts';
import type { Attempt } from '../../domain/pipeline/writer.ts';
import { createSlots } from '../../packages/base/slots.ts';
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
  const inTurn = createSlots(AT_ONCE);
  const failing = new AbortController();
  const read = await Promise.all(
    urls.map((url) =>
      inTurn(async () => {
        // All are read again if one has to be read later, so none is begun after it.
        failing.signal.throwIfAborted();
        try {
          return { url, source: await sources.read(url, attempt) };
        } catch (error) {
          failing.abort(error);
          throw error;
        }
      }),
    ),
  );
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
