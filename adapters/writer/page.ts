import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { withoutSource } from './source-text.ts';
import type { Source } from './source-text.ts';
import { storable } from './storable.ts';

/** Maximum characters of a source. */
const TEXT_LENGTH = 40_000;
/** A page with more elements than any article is not worth the time. */
const ELEMENTS = 20_000;

/** Extracts the text of a page's bytes. The time depends on the page, so call it in a helper process. */
export function readPage({
  body,
  contentType,
}: {
  readonly body: Uint8Array;
  readonly contentType: string;
}): Source {
  const type = contentType.toLowerCase();
  const page = decode(body, type);
  if (type.startsWith('text/plain')) return { text: cut(page), problem: null };
  if (!type.startsWith('text/html') && !type.startsWith('application/xhtml+xml'))
    return withoutSource('it is no page of text');
  if (countTags(page) > ELEMENTS) return withoutSource(`the page has more than ${ELEMENTS} elements`);
  const text = extractArticle(page);
  return text === null ? withoutSource('there is no text on the page') : { text: cut(text), problem: null };
}

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

const cut = (text: string): string => storable(text.slice(0, TEXT_LENGTH));

function decode(body: Uint8Array, contentType: string): string {
  const charset = /charset=["']?([\w-]+)/.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
