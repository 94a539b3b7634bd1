import { escapeHtml as escape } from '../dom.ts';
import { cardHtml } from './cards.ts';
import type { Payload } from './cards.ts';

/** The bits of a text's `format`. */
const FORMATS: readonly (readonly [bit: number, element: string])[] = [
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
];
const BLOCKS: Readonly<Record<string, string>> = {
  paragraph: 'p',
  quote: 'blockquote',
  'extended-quote': 'blockquote',
  aside: 'blockquote',
  listitem: 'li',
};
const DEPTH = 100;

/** The document of Ghost's editor since version 5 as HTML. @param lost told of what has no place in an article */
export function lexicalHtml(json: string, lost: (card: string) => void): string {
  const { root } = JSON.parse(json) as { root?: Payload };
  return root === undefined ? '' : childrenOf(root, lost, 0);
}

function childrenOf(node: Payload, lost: (card: string) => void, depth: number): string {
  if (depth > DEPTH) throw new Error(`its elements are nested more than ${DEPTH} levels deep`);
  const children = Array.isArray(node['children']) ? (node['children'] as Payload[]) : [];
  return children.map((child) => nodeHtml(child, lost, depth + 1)).join('');
}

function nodeHtml(node: Payload, lost: (card: string) => void, depth: number): string {
  const type = stringOf(node['type']);
  const inner = (): string => childrenOf(node, lost, depth);
  if (typeof node['text'] === 'string' && node['children'] === undefined) return textHtml(node);
  if (type === 'linebreak') return '<br>';
  if (type === 'tab') return ' ';
  if (type === 'link' || type === 'autolink')
    return `<a href="${escape(stringOf(node['url']))}">${inner()}</a>`;
  if (type === 'heading' || type === 'extended-heading') {
    const level = /^h[1-6]$/.exec(stringOf(node['tag']))?.[0] ?? 'h2';
    return `<${level}>${inner()}</${level}>`;
  }
  if (type === 'list') return listHtml(node, inner());
  const element = Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (element !== undefined) return `<${element}>${inner()}</${element}>`;
  const card = cardHtml(type, node);
  if (card !== null) return card;
  const content = inner();
  if (content === '' && type !== 'zwnj') lost(type);
  return content;
}

function listHtml(node: Payload, inner: string): string {
  const name = node['listType'] === 'number' || node['tag'] === 'ol' ? 'ol' : 'ul';
  const start = Number(node['start'] ?? 1);
  return `<${name}${name === 'ol' && start > 1 ? ` start="${start}"` : ''}>${inner}</${name}>`;
}

function textHtml(node: Payload): string {
  const format = Number(node['format'] ?? 0);
  return FORMATS.reduce(
    (html, [bit, element]) => ((format & bit) === 0 ? html : `<${element}>${html}</${element}>`),
    escape(stringOf(node['text'])),
  );
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
