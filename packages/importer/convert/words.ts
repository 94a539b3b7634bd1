import { parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { renderMarkdown } from '../../base/markdown/render.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** A browser shows nothing of these, or shows something else in their place. */
const HIDDEN = new Set(
  `annotation annotation-xml audio canvas embed form iframe input noscript object script select style svg template textarea title video`.split(
    ' ',
  ),
);
/** They end a word. All others stand within a line, those that no browser knows included. */
const BLOCKS = new Set(
  `address article aside blockquote br button caption center dd details dialog dir div dl dt fieldset figcaption figure footer
   h1 h2 h3 h4 h5 h6 header hgroup hr img legend li listing main menu nav ol p picture pre search section summary table tbody
   td tfoot th thead tr ul`.split(/\s+/),
);
/** The marks of footnotes, which the renderer makes. */
const MADE = new Set(['data-footnote-ref', 'data-footnote-backref']);

/** Words, and the other characters one by one. */
const token = /[\p{L}\p{M}\p{N}\p{Cf}]+|[^\s\p{Cf}]/gu;

/** The words of HTML as a browser shows them, in order, and each other visible character. */
export function wordsOf(html: string): readonly string[] {
  const parts: string[] = [];
  const pending: (Node | string)[] = parseFragment(html, { scriptingEnabled: false }).childNodes.toReversed();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node === 'string') parts.push(node);
    else if (node.nodeName === '#text' && 'value' in node) parts.push(node.value);
    else if ('tagName' in node && isMarkdown(node)) parts.push(renderedText(node));
    else if ('tagName' in node && isShown(node)) {
      const edge = BLOCKS.has(node.tagName) ? [' '] : [];
      pending.push(...edge);
      for (const child of node.childNodes.toReversed()) pending.push(child);
      pending.push(...edge);
    }
  }
  // A soft hyphen shows at the end of a line only, and zero-width characters never.
  const text = parts
    .join('')
    .normalize('NFC')
    .replaceAll(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '');
  return text.match(token) ?? [];
}

/** A card of Ghost whose text is Markdown. */
const isMarkdown = ({ attrs }: DefaultTreeAdapterTypes.Element): boolean =>
  attrs.some(({ name }) => name === 'data-presswork-markdown');

function renderedText({ childNodes }: DefaultTreeAdapterTypes.Element): string {
  const rendered = renderMarkdown(childNodes.map((node) => ('value' in node ? node.value : '')).join(''));
  return 'html' in rendered ? ` ${wordsOf(rendered.html).join(' ')} ` : '';
}

const isShown = ({ tagName, attrs }: DefaultTreeAdapterTypes.Element): boolean =>
  !HIDDEN.has(tagName) && !attrs.some(({ name }) => MADE.has(name));

/** How many of them a message names. */
const NAMED = 8;
const BEFORE = 5;

/**
 * What readers saw before and do not see now, or the other way round. Notes stand elsewhere now, so words are counted.
 *
 * @returns null if there is no difference
 */
export function differenceOf(before: readonly string[], after: readonly string[]): string | null {
  const lost = without(before, after);
  const added = without(after, before);
  const found = [
    ...(lost.length > 0 ? [`${named(before, lost)} is lost`] : []),
    ...(added.length > 0 ? [`${named(after, added)} is new`] : []),
  ];
  return found.length === 0 ? null : `its text is not the same as before: ${found.join(', and ')}`;
}

/** Places in `words` of what is not among the `others`, each of which counts once. */
function without(words: readonly string[], others: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const word of others) counts.set(word, (counts.get(word) ?? 0) + 1);
  return words.flatMap((word, place) => {
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    return left > 0 ? [] : [place];
  });
}

function named(words: readonly string[], places: readonly number[]): string {
  const [first = 0] = places;
  const shown = places.slice(0, NAMED).map((place) => words[place]);
  const more = places.length > NAMED ? ` and ${places.length - NAMED} more` : '';
  const context = words.slice(Math.max(0, first - BEFORE), first).join(' ');
  const place = context === '' ? 'at its beginning' : `after "${context}"`;
  return `"${shown.join(' ')}"${more} ${place}`;
}
