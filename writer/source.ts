import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import type { GuardedClient } from '../net/guarded-client.ts';
import { storable } from './storable.ts';

/** The text of a source page, or why there is none. */
export interface Source {
  readonly text: string | null;
  /** For the people who read the run; null where it was read, or there was nothing to read. */
  readonly problem: string | null;
}

export interface SourceReader {
  /** @param url null for a topic without a source */
  read(url: string | null, signal: AbortSignal): Promise<Source>;
}

const PAGE_BYTES = 2_000_000;
const TIMEOUT_MS = 10_000;
/** Characters of a source that are kept. */
const TEXT_LENGTH = 40_000;

/** Fetches source pages through the guarded client, and keeps of each what a reader would call the article. */
export const createSourceReader = (http: GuardedClient): SourceReader => ({
  async read(url) {
    if (url === null) return { text: null, problem: null };
    const without = (why: string): Source => ({
      text: null,
      problem: `The source could not be read (${why}); the article was written without it.`,
    });
    const answer = await http.request({
      url,
      method: 'GET',
      headers: { accept: 'text/html,application/xhtml+xml,text/plain;q=0.8' },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: PAGE_BYTES,
      redirects: 1,
      isolationKey: 'sources',
      readBody: true,
    });
    if (answer.outcome === 'failure') return without(answer.error);
    if (answer.status < 200 || answer.status > 299) return without(`status ${answer.status}`);
    const type = (answer.headers['content-type'] ?? '').toLowerCase();
    const body = answer.body ?? Buffer.alloc(0);
    if (type.startsWith('text/plain')) return { text: cut(decode(body, type)), problem: null };
    if (!type.startsWith('text/html') && !type.startsWith('application/xhtml+xml'))
      return without('it is no page of text');
    const text = extractArticle(decode(body, type));
    return text === null ? without('there is no text on the page') : { text: cut(text), problem: null };
  },
});

/** A page with more elements than any article has is not worth the time it takes. */
const ELEMENTS = 20_000;

/** The article of a page as plain text, or null where there is none. */
export function extractArticle(html: string): string | null {
  let found: string;
  try {
    const { document } = parseHTML(html);
    found = new Readability(document as never, { maxElemsToParse: ELEMENTS }).parse()?.textContent ?? '';
  } catch {
    // Neither library promises anything for what is hardly a page, and somebody else chose the page.
    return null;
  }
  const text = found
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
  return text === '' ? null : text;
}

const cut = (text: string): string => storable(text.slice(0, TEXT_LENGTH));

function decode(body: Buffer, contentType: string): string {
  const charset = /charset=["']?([\w-]+)/.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}
