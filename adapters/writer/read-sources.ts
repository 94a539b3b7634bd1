import type { Attempt } from '../../domain/pipeline/writer.ts';
import type { SourceReader } from './source.ts';
import type { Source } from './source-text.ts';

/** Characters of all pages together; each has an equal share. */
const TEXT_LENGTH = 40_000;

/** Reads the pages that a topic names, one after another. Those that cannot be read are reported. */
export async function readSources(
  sources: SourceReader,
  urls: readonly string[],
  attempt: Attempt,
): Promise<Source> {
  if (urls.length <= 1) return sources.read(urls[0] ?? null, attempt);
  const texts: string[] = [];
  const problems: string[] = [];
  for (const url of urls) {
    const { text, problem } = await sources.read(url, attempt);
    if (text !== null) texts.push(text.slice(0, TEXT_LENGTH / urls.length).toWellFormed());
    if (problem !== null) problems.push(`${url}: ${problem}`);
  }
  return {
    text: texts.length === 0 ? null : texts.join('\n\n'),
    problem: problems.length === 0 ? null : problems.join(' '),
  };
}
