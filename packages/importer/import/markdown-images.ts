import { fromMarkdown } from 'mdast-util-from-markdown';
import { footnotes } from './markdown-footnotes.ts';

/** An image in a Markdown text, with the position of its URL. */
export interface FoundImage {
  readonly url: string;
  readonly start: number;
  readonly end: number;
  /** Escapes another URL for this position. */
  readonly write: (url: string) => string;
}

type Extension = Extract<NonNullable<Parameters<typeof fromMarkdown>[1]>, object>['mdastExtensions'];
type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];
type Range = readonly [start: number, end: number];

/** Finds the images of a text outside code: inline images, definitions used by image references, and `<img src>`. */
export function findImages(markdown: string): FoundImage[] {
  if (!/!\[|<img/i.test(markdown)) return [];
  // The parser skips a byte order mark, and its offsets start after it.
  const skipped = markdown.startsWith('\uFEFF') ? 1 : 0;
  const text = markdown.slice(skipped);
  const destinations = new Map<object, Range>();
  const tree = fromMarkdown(text, {
    extensions: [withoutEmphasis, footnotes],
    mdastExtensions: noting(destinations),
  });
  const found: FoundImage[] = [];
  const definitions = new Map<string, Extract<Node, { type: 'definition' }>>();
  const shown = new Set<string>();

  const note = (node: { readonly url: string }): void => {
    const range = destinations.get(node);
    if (range) found.push({ url: node.url, start: range[0], end: range[1], write: inDestination });
  };
  const visit = (node: Node, elements: OpenElements): void => {
    if (node.type === 'html') found.push(...imagesOfHtml(node, text, elements));
    else if (node.type === 'text' && !elements.inCode) found.push(...bareImagesOfText(node, text));
    else if (node.type === 'image' && !elements.inCode) note(node);
    else if (node.type === 'imageReference' && !elements.inCode) shown.add(node.identifier);
    else if (node.type === 'definition' && !definitions.has(node.identifier)) {
      definitions.set(node.identifier, node);
    }
    if (!('children' in node)) return;
    // Inline HTML elements end with their block at the latest.
    const inline = node.type === 'paragraph' || node.type === 'heading' ? new OpenElements() : elements;
    for (const child of node.children) visit(child, inline);
  };
  visit(tree, new OpenElements());
  for (const [identifier, node] of definitions) if (shown.has(identifier)) note(node);
  return found
    .map((image) => ({ ...image, start: image.start + skipped, end: image.end + skipped }))
    .sort((left, right) => left.start - right.start);
}

/** Replaces the URLs of images for which `replacement` returns one; everything else stays unchanged. */
export function replaceImages(
  markdown: string,
  images: readonly FoundImage[],
  replacement: (url: string) => string | undefined,
): string {
  let result = '';
  let at = 0;
  for (const image of images) {
    const { url, start, end } = image;
    const other = replacement(url);
    if (other === undefined) continue;
    result += markdown.slice(at, start) + inPlace(image, markdown.slice(start, end), other);
    at = end;
  }
  return result + markdown.slice(at);
}

/** A URL as it is written in place of an image's. A query that both have is written as before. */
function inPlace({ url, write }: FoundImage, written: string, other: string): string {
  const [query] = /\?.*/s.exec(url) ?? [];
  const [writtenQuery] = /\?.*/s.exec(written) ?? [];
  if (query === undefined || writtenQuery === undefined || !other.endsWith(query)) return write(other);
  return write(other.slice(0, -query.length)) + writtenQuery;
}

/** Emphasis does not affect images, and parsing it is slow if it is nested deeply. */
const withoutEmphasis = { disable: { null: ['attention'] } };

/** A parser extension that records the position of the URL of each link, image and definition. */
function noting(destinations: Map<object, Range>): Extension {
  type Handle = NonNullable<NonNullable<Exclude<NonNullable<Extension>[number], unknown[]>['enter']>[string]>;
  const handle: Handle = function (token) {
    const node = this.stack.at(-1);
    if (node) destinations.set(node, [token.start.offset, token.end.offset]);
    this.buffer();
  };
  return [{ enter: { resourceDestinationString: handle, definitionDestinationString: handle } }];
}

/** Escapes a URL for a Markdown destination: white space, delimiters, and text that looks like an entity. */
const inDestination = (url: string): string =>
  url
    .replaceAll(/&(?=#?\w+;)/g, '&amp;')
    .replaceAll(/[\s<>()\\]/g, (character) => encodeURIComponent(character).replace(/^[()]$/, '\\$&'));

const tag = /<!--[^]*?(?:-->|$)|<(\/?)([a-z][^\s/<>]*)((?:"[^"]*"|'[^']*'|[^'"<>])*)>/gi;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`][^\s"'<>`]*))?/g;

/** Elements in which an image is text, or not rendered. */
const CODE = new Set(['code', 'pre', 'script', 'style', 'textarea', 'template', 'xmp']);

/** Tracks the open code elements across pieces of HTML. */
class OpenElements {
  readonly #open: string[] = [];

  get inCode(): boolean {
    return this.#open.length > 0;
  }

  note(name: string, closing: boolean): void {
    if (!CODE.has(name)) return;
    if (!closing) this.#open.push(name);
    else if (this.#open.includes(name)) this.#open.splice(this.#open.lastIndexOf(name));
  }
}

/** Finds `<img>` with an unquoted URL: the parser ends an unquoted value at a slash, and takes such a tag for text. */
function bareImagesOfText(node: Extract<Node, { type: 'text' }>, text: string): FoundImage[] {
  const value = text.slice(node.position?.start.offset, node.position?.end.offset);
  if (!/<img\s/i.test(value) || /\\<img/i.test(value)) return [];
  const found = imagesOfHtml({ value, position: node.position }, text, new OpenElements());
  // With an equals sign in the value the renderer takes it for text as well.
  return found.filter(
    ({ start, end }) => !/["']/.test(text[start - 1] ?? '') && !text.slice(start, end).includes('='),
  );
}

function imagesOfHtml(
  node: Pick<Extract<Node, { type: 'html' }>, 'value' | 'position'>,
  text: string,
  elements: OpenElements,
): FoundImage[] {
  const positionOf = positions(node, text);
  const found: FoundImage[] = [];
  for (const match of node.value.matchAll(tag)) {
    const [whole, slash, name = '', attributes = ''] = match;
    if (name === '') continue;
    elements.note(name.toLowerCase(), slash === '/');
    if (name.toLowerCase() !== 'img' || slash === '/' || elements.inCode) continue;
    const source = [...attributes.matchAll(attribute)].find(([, name]) => name?.toLowerCase() === 'src');
    const value = source?.[2];
    if (source === undefined || value === undefined || /^(?:""|'')$/.test(value)) continue;
    const inTag = whole.length - 1 - attributes.length + source.index + source[0].length - value.length;
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const start = positionOf(match.index + inTag + quote.length);
    const end = positionOf(match.index + inTag + value.length - quote.length);
    if (start === null || end === null) continue;
    const bare = value.slice(quote.length, value.length - quote.length);
    found.push({ url: decodeHtml(bare).trim(), start, end, write: inAttribute(quote) });
  }
  return found;
}

/** Maps positions in an HTML node to the text, whose lines have the markers of quotes and lists that the node lacks. */
function positions(
  node: Pick<Extract<Node, { type: 'html' }>, 'position' | 'value'>,
  text: string,
): (place: number) => number | null {
  const from = node.position?.start.offset ?? 0;
  const to = node.position?.end.offset ?? 0;
  const lines = linesOf(text.slice(from, to));
  const spans = linesOf(node.value).map(({ at, line }, index) => {
    // A tab that belongs only partly to a marker becomes spaces in the node.
    const bare = line.trimStart();
    const raw = lines[index];
    if (raw === undefined || !raw.line.endsWith(bare)) return null;
    const start = from + raw.at + raw.line.length - bare.length;
    return { at: at + line.length - bare.length, length: bare.length, start };
  });
  return (place) => {
    const span = spans.find((each) => each && place >= each.at && place <= each.at + each.length);
    return span ? span.start + place - span.at : null;
  };
}

function linesOf(text: string): { at: number; line: string }[] {
  let at = 0;
  return text.split(/(\r\n|\r|\n)/).flatMap((part, index) => {
    const line = index % 2 === 0 ? [{ at, line: part }] : [];
    at += part.length;
    return line;
  });
}

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

const decodeHtml = (text: string): string =>
  text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|quot|apos|lt|gt));/gi,
    (whole, hex, decimal, name) => {
      if (name) return entities[String(name).toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );

/** @param quote the quote around the value, or an empty string */
const inAttribute =
  (quote: string) =>
  (url: string): string => {
    const escaped = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
    return quote === '' && /[\s=<>`]/.test(escaped) ? `"${escaped}"` : escaped;
  };
