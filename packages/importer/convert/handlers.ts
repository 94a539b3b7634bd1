import type { Element, ElementContent, Nodes as HastNodes } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { defaultHandlers as given } from 'hast-util-to-mdast';
import type { Handle, State } from 'hast-util-to-mdast';
import type { BlockContent, Html, PhrasingContent, RootContent } from 'mdast';
import { joinLines } from './dom.ts';
import { NOTE, NOTE_MARK } from './footnotes.ts';

/** The properties of the attributes that `prepare` and the reader of Ghost set. */
const KEPT = 'dataPressworkKept';

const MARKDOWN = 'dataPressworkMarkdown';

/** HTML within a line. It says so, because Markdown's HTML may be either. */
const inline = (value: string): Html => ({ type: 'html', value, data: { hName: 'span' } });
const block = (value: string): Html => ({ type: 'html', value });

const textOf = (node: HastNodes): string => {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map((child) => textOf(child)).join('') : '';
};

/** The attributes that the renderer keeps on every element. */
const GLOBAL = ['dir', 'lang', 'title'];

function tagOf({ tagName, properties }: Element): string {
  const kept = Object.fromEntries(
    Object.entries(properties).filter(([name, value]) => GLOBAL.includes(name) && value !== ''),
  );
  return toHtml({ type: 'element', tagName, properties: kept, children: [] }).replace(/<\/[^>]*>$/, '');
}

/** Elements within a line that have no Markdown form, and that the renderer keeps. */
const INLINE = 'abbr bdi bdo cite dfn ins kbd mark q rp rt ruby samp small sub sup time u var'.split(' ');

/** Those of hast-util-to-mdast, some of which take fewer arguments. */
const defaultHandlers: Readonly<Record<string, Handle>> = given;

const FLOWS = 'div section article aside main header footer center dl dd dialog'.split(' ');
const BLOCKS = 'p h1 h2 h3 h4 h5 h6 blockquote ul ol'.split(' ');

const asInlineHtml: Handle = (state, node) => {
  const content = state.all(node);
  if (content.length === 0) return content;
  return [inline(tagOf(node)), ...content, inline(`</${node.tagName}>`)] as PhrasingContent[];
};

/** A block in another direction or language. */
const isForeign = ({ properties }: Element): boolean =>
  typeof properties['dir'] === 'string' || typeof properties['lang'] === 'string';

const flow = (state: State, node: Element): BlockContent[] => state.toFlow(state.all(node)) as BlockContent[];

/** The element as it is, without empty lines, which would end HTML in Markdown. */
const asHtml: Handle = (_state, node) => block(oneLine(node));

function oneLine(node: Element): string {
  const lines = structuredClone(node);
  markBreaks(lines, false);
  return joinLines(toHtml(lines, { characterReferences: { useNamedReferences: true } })).replaceAll(
    BREAK,
    '&#10;',
  );
}

/** Replaces a line break that has to be kept: a non-character, which texts do not contain. */
const BREAK = '\uFDD3';

function markBreaks(node: Element, inPre: boolean): void {
  for (const child of node.children) {
    if (child.type === 'element') markBreaks(child, inPre || child.tagName === 'pre');
    else if (child.type === 'text' && inPre) child.value = child.value.replaceAll('\n', BREAK);
  }
}

const link: Handle = (state, node) => {
  const { href, title, id } = node.properties;
  if (typeof id === 'string' && href === undefined)
    return inline(toHtml({ ...node, properties: { id }, children: [] }));
  const children = state.all(node) as PhrasingContent[];
  const isEmpty = textOf(node).trim() === '' && !hasImage(node);
  if (typeof href !== 'string' || href === '' || isEmpty) return children;
  return {
    type: 'link',
    url: href,
    title: typeof title === 'string' && title !== '' ? title : null,
    children,
  };
};

const hasImage = ({ children }: Element): boolean =>
  children.some(
    (child: ElementContent) => child.type === 'element' && (child.tagName === 'img' || hasImage(child)),
  );

/** A caption in italics, unless it has emphasis of its own. */
const caption: Handle = (state, node) => {
  return flow(state, node).map((one) => {
    const own =
      one.type !== 'paragraph' || one.children.some(({ type }) => type === 'emphasis' || type === 'strong');
    return own ? one : { type: 'paragraph', children: [{ type: 'emphasis', children: one.children }] };
  });
};

const term: Handle = (state, node) =>
  flow(state, node).map((one) =>
    one.type === 'paragraph'
      ? { type: 'paragraph', children: [{ type: 'strong', children: one.children }] }
      : one,
  );

const details: Handle = (state, node) => {
  const rest = node.children.filter((child) => child.type !== 'element' || child.tagName !== 'summary');
  const summaries = node.children.filter((child) => child.type === 'element' && child.tagName === 'summary');
  return [
    block('<details>'),
    ...(summaries.flatMap((summary) => state.one(summary, node) ?? []) as RootContent[]),
    ...flow(state, { ...node, children: rest }),
    block('</details>'),
  ] as BlockContent[];
};

const table: Handle = (state, node, parent) => {
  if (node.properties[KEPT] === undefined) return defaultHandlers['table']?.(state, node, parent);
  const { [KEPT]: _, ...properties } = node.properties;
  return block(oneLine({ ...node, properties }));
};

/** In a wrapper that has the direction or language of the element, if it has one. */
const wrapped =
  (handle: Handle | undefined): Handle =>
  (state, node, parent) => {
    const result = handle?.(state, node, parent) ?? [];
    if (!isForeign(node)) return result;
    return [block(tagOf({ ...node, tagName: 'div' })), ...[result].flat(), block('</div>')] as BlockContent[];
  };

const identifier = ({ properties }: Element): string => String(properties['dataNote'] ?? '');

/** How an element of HTML becomes Markdown, if not as hast-util-to-mdast has it. */
export const handlers: Readonly<Record<string, Handle>> = {
  ...Object.fromEntries(INLINE.map((name) => [name, asInlineHtml])),
  ...Object.fromEntries(['iframe', 'video', 'audio', 'object', 'embed'].map((name) => [name, asHtml])),
  ...Object.fromEntries(FLOWS.map((name) => [name, wrapped(flow)])),
  ...Object.fromEntries(BLOCKS.map((name) => [name, wrapped(defaultHandlers[name])])),
  a: link,
  figcaption: caption,
  dt: term,
  details,
  summary: (_state, node) => block(oneLine({ ...node, properties: {} })),
  table,
  menu: wrapped(defaultHandlers['ul']),
  pre: (state, node, parent) =>
    node.properties[MARKDOWN] === undefined
      ? defaultHandlers['pre']?.(state, node, parent)
      : block(textOf(node)),
  span: (state, node, parent) => (isForeign(node) ? asInlineHtml(state, node, parent) : state.all(node)),
  wbr: () => inline('<wbr>'),
  [NOTE_MARK]: (_state, node) => ({
    type: 'footnoteReference',
    identifier: identifier(node),
    label: identifier(node),
  }),
  [NOTE]: (state, node) => ({
    type: 'footnoteDefinition',
    identifier: identifier(node),
    label: identifier(node),
    children: flow(state, node),
  }),
};
