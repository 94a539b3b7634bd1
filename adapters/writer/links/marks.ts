import { parseFragment } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import type { Token } from '../../../packages/base/markdown/parser.ts';
import { createLocatingParser, linesOfNote, spanOf } from './parser.ts';
import { placeBlock, placeCell } from './place.ts';
import type { Line, Place } from './place.ts';

/** Something in a text that leads elsewhere or cites, and the characters that are cut to take it out. */
export interface Mark {
  readonly kind: 'link' | 'image' | 'citation' | 'definition' | 'note';
  /** Where it leads; of a citation, a note and a definition, its label. */
  readonly target: string;
  /** The definition that it uses. */
  readonly label?: string | undefined;
  /** Null where it cannot be found in the text. */
  readonly cuts: readonly (readonly [start: number, end: number])[] | null;
}

const parser = createLocatingParser();

/**
 * The marks of a Markdown, as the product's parser finds them (docs/spec/rulings.md, 25).
 *
 * @throws ContentRefused
 */
export function readMarks(text: string): readonly Mark[] {
  const lines = linesOf(text);
  const startOf = (line: number): number => lines[line]?.start ?? text.length;
  const marks: Mark[] = [];
  const defined = new Set<string>();
  let row = 0;
  let from = 0;
  for (const token of parser.parse(text, {})) {
    const { label = '' } = (token.meta ?? {}) as { label?: string };
    const [first, end] = (token.type === 'reference_definition' ? token.map : linesOfNote(token)) ?? [];
    if (first !== undefined && end !== undefined) {
      const kind = token.type === 'reference_definition' ? 'definition' : 'note';
      // Of several with the same label, the first counts.
      const target = kind === 'definition' && defined.has(label) ? '' : label;
      marks.push({ kind, target, cuts: [[startOf(first), startOf(end)]] });
      if (kind === 'definition') defined.add(label);
    }
    if (token.map !== null) row = token.map[0];
    if (token.type === 'tr_open') from = 0;
    if (token.type === 'html_block') {
      const place = placeBlock(token.content, lines, row);
      for (const mark of marksOfHtml(token.content, place)) marks.push(mark);
    }
    if (token.type !== 'inline') continue;
    let place: Place;
    if (token.map === null) ({ place, end: from } = placeCell(token.content, lines[row], from));
    else place = placeBlock(token.content, lines, row);
    for (const mark of marksOfLine(token, place)) marks.push(mark);
  }
  return marks;
}

function linesOf(text: string): readonly Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const found = { start, text: line };
    start += line.length + 1;
    return found;
  });
}

function* marksOfLine({ content, children }: Token, place: Place): Iterable<Mark> {
  const tokens = children ?? [];
  const between = (start: number, end: number): Mark['cuts'] => rangesOf([[start, end]], place);
  let cursor = 0;
  const open: Tag[] = [];
  for (const [index, token] of tokens.entries()) {
    const span = spanOf(token);
    const label = (token.meta as { label?: string } | null)?.label;
    if (token.type === 'link_open') {
      const target = String(token.attrGet('href') ?? '');
      if (token.markup === '' && span?.textEnd !== undefined) {
        const cuts = rangesOf(
          [
            [span.start, span.start + 1],
            [span.textEnd, span.end],
          ],
          place,
        );
        yield { kind: 'link', target, label, cuts };
      } else {
        // An address that is a link by itself: its text is nothing else.
        const address = tokens[index + 1]?.content ?? '';
        const start = span?.start ?? content.indexOf(address, cursor);
        const end = span?.end ?? start + address.length;
        yield { kind: 'link', target, cuts: start < 0 ? null : between(start, end) };
        cursor = Math.max(cursor, end);
      }
    } else if (token.type === 'image') {
      const target = String(token.attrGet('src') ?? '');
      yield { kind: 'image', target, label, cuts: span ? between(span.start, span.end) : null };
    } else if (token.type === 'citation') {
      yield { kind: 'citation', target: token.content, cuts: span ? between(span.start, span.end) : null };
    } else if (token.type === 'html_inline' && span !== undefined) {
      const [, closed] = /^<\/([a-z][a-z0-9-]*)/i.exec(token.content) ?? [];
      const opening = open.findLastIndex(({ name }) => name === closed?.toLowerCase());
      if (opening >= 0)
        open
          .splice(opening)
          .at(0)
          ?.cuts?.push(...(rangesOf([[span.start, span.end]], place) ?? []));
      for (const mark of marksOfHtml(token.content, (offset) => place(span.start + offset))) {
        open.push(mark);
        yield mark;
      }
    }
    if (span !== undefined && token.type !== 'link_open') cursor = Math.max(cursor, span.end);
  }
}

/** A tag in a line. What closes it is cut with it. */
interface Tag extends Mark {
  readonly name: string;
  readonly cuts: [start: number, end: number][] | null;
}

/** Attributes that are addresses, or have some among others. */
const addresses = new Set(
  'action background cite data formaction href longdesc ping poster src srcset style xlink:href'.split(' '),
);

/** The tags of elements that lead elsewhere. */
function* marksOfHtml(html: string, place: Place): Iterable<Tag> {
  const waiting: DefaultTreeAdapterTypes.ChildNode[] = [
    ...parseFragment(html, { sourceCodeLocationInfo: true, scriptingEnabled: false }).childNodes,
  ];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push(child);
    if (!('attrs' in node) || !node.sourceCodeLocation) continue;
    const { startTag, endTag } = node.sourceCodeLocation;
    const tags = [startTag, endTag].flatMap((tag) =>
      tag ? [[tag.startOffset, tag.endOffset] as const] : [],
    );
    const cuts = rangesOf(tags, place);
    for (const { name, value } of node.attrs)
      if (addresses.has(name)) yield { kind: 'image', name: node.tagName, target: value, cuts };
  }
}

function rangesOf(ranges: readonly (readonly [number, number])[], place: Place): [number, number][] | null {
  const placed = ranges.map(([start, end]) => [place(start), place(end - 1)] as const);
  return placed.some(([start, last]) => start === null || last === null)
    ? null
    : placed.map(([start, last]) => [start as number, (last as number) + 1]);
}
