import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { parseDateTime } from '../../packages/base/date-time.ts';
import { decode } from '../pages/decode.ts';
import { readPdf } from './pdf.ts';
import { withoutSource } from './source-text.ts';
import type { PageText } from './source-text.ts';
import { storable } from './storable.ts';

/** Maximum characters of a source. */
const TEXT_LENGTH = 40_000;
/** As many as a client may write of a title. */
const TITLE_LENGTH = 300;
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
}): Promise<PageText> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/pdf') return withText(await readPdf(body, TEXT_LENGTH));
  if (!plain.has(type) && !html.has(type)) return withoutSource('it is no page of text');
  const page = decode(body, contentType);
  if (plain.has(type)) return withText({ text: page, title: null });
  if (countTags(page) > ELEMENTS) return withoutSource(`the page has more than ${ELEMENTS} elements`);
  return withText(extractArticle(page));
}

/** What was found on a page. */
interface Found {
  readonly text: string;
  readonly title: string | null;
  /** In any form. */
  readonly published?: string | null | undefined;
}

/** @param found null if there is nothing */
const withText = (found: Found | null): PageText =>
  found === null || found.text.trim() === ''
    ? withoutSource('there is no text on the page')
    : {
        text: storable(found.text.slice(0, TEXT_LENGTH)),
        title: titleOf(found.title),
        published_at: timeOf(found.published),
        problem: null,
      };

const titleOf = (title: string | null): string | null =>
  storable((title ?? '').slice(0, TITLE_LENGTH).replaceAll(/\s+/g, ' ')).trim() || null;

/** A time or a day that a page states; null for anything else. What has no offset is taken for UTC. */
function timeOf(stated: string | null | undefined): string | null {
  const [whole = '', day = ''] = /^(\d{4}-\d{2}-\d{2})\S{0,40}/.exec((stated ?? '').trim()) ?? [];
  const time = parseDateTime(whole) ?? parseDateTime(`${whole}Z`) ?? parseDateTime(`${day}T00:00:00Z`);
  return time?.toISOString() ?? null;
}

/** Counts tags before parsing, including those that look like tags inside scripts. */
function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1))
    if (/[a-z]/i.test(html.charAt(at + 1))) count += 1;
  return count;
}

/** The article of a page as plain text; null if there is none. */
export function extractArticle(html: string): Found | null {
  let found: ReturnType<Readability['parse']>;
  let time: string | null | undefined;
  try {
    const { document } = parseHTML(html);
    // Before the page is taken apart.
    time = document.querySelector('time[datetime]')?.getAttribute('datetime');
    found = new Readability(document as never).parse();
  } catch {
    // Neither library is specified for malformed pages, and the page is untrusted.
    return null;
  }
  const lines = (found?.textContent ?? '').split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const text = lines.filter((line) => line !== '').join('\n');
  return text === '' ? null : { text, title: found?.title ?? null, published: found?.publishedTime || time };
}
