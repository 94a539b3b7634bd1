import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { decode } from '../pages/decode.ts';
import { readPdf } from './pdf.ts';
import { withoutSource } from './source-text.ts';
import type { Source } from './source-text.ts';
import { storable } from './storable.ts';

/** Maximum characters of a source. */
const TEXT_LENGTH = 40_000;
/** A page with more elements than any article is not worth the time. */
const ELEMENTS = 20_000;

/** Files of text, as they are. */
const plain = new Set(['text/plain', 'text/markdown', 'text/x-markdown']);
const html = new Set(['text/html', 'application/xhtml+xml']);

/** Extracts the text of a page's bytes. The time depends on the page, so call it in a helper process. */
export async function readPage({
  body,
  contentType,
}: {
  readonly body: Uint8Array;
  readonly contentType: string;
}): Promise<Source> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/pdf') return withText(await readPdf(body, TEXT_LENGTH));
  if (!plain.has(type) && !html.has(type)) return withoutSource('it is no page of text');
  const page = decode(body, contentType);
  if (plain.has(type)) return withText(page);
  if (countTags(page) > ELEMENTS) return withoutSource(`the page has more than ${ELEMENTS} elements`);
  return withText(extractArticle(page));
}

/** @param text null if there is none */
const withText = (text: string | null): Source =>
  text === null || text.trim() === ''
    ? withoutSource('there is no text on the page')
    : { text: storable(text.slice(0, TEXT_LENGTH)), problem: null };

/** Counts tags before parsing, including those that look like tags inside scripts. */
function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1))
    if (/[a-z]/i.test(html.charAt(at + 1))) count += 1;
  return count;
}

/** The article of a page as plain text; null if there is none. */
export function extractArticle(html: string): string | null {
  let found: string;
  try {
    const { document } = parseHTML(html);
    found = new Readability(document as never).parse()?.textContent ?? '';
  } catch {
    // Neither library is specified for malformed pages, and the page is untrusted.
    return null;
  }
  const lines = found.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const text = lines.filter((line) => line !== '').join('\n');
  return text === '' ? null : text;
}
